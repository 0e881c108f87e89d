/**
 * What the page may load and run: its own files, SQLite's WebAssembly, and Mantine's inline styles. Nothing from elsewhere.
 *
 * It stands in the built index.html, and in a header wherever the page is served: only a header reaches the worker, and
 * only a header can say that nothing may frame the page.
 */
export const PAGE_POLICY: string = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

export const HEADER_POLICY: string = `${PAGE_POLICY}; frame-ancestors 'none'`
