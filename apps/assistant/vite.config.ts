import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { HEADER_POLICY, PAGE_POLICY } from './content-policy.ts'

/** Writes the policy into the page. Vite's dev server puts an inline script there, which only then is allowed. */
const contentPolicy: Plugin = {
  name: 'content-policy',
  transformIndexHtml: {
    order: 'pre',
    handler(html, { server }) {
      const policy =
        server === undefined ? PAGE_POLICY : PAGE_POLICY.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
      return html.replace('%CONTENT_POLICY%', policy)
    },
  },
}

export default defineConfig({
  // Relative addresses: the same files are served over HTTP and by the desktop shell.
  base: './',
  plugins: [react(), contentPolicy],
  // One copy of each, found from here: @mantine/hooks imports react-dom without declaring it.
  resolve: { dedupe: ['react', 'react-dom'] },
  worker: { format: 'es' },
  preview: { headers: { 'content-security-policy': HEADER_POLICY, 'x-content-type-options': 'nosniff' } },
  build: {
    // The oldest engines that this page is meant for; Chrome 130 is what the desktop shell is tried on.
    target: ['chrome130', 'firefox128', 'safari18'],
    // The policy allows no data: scripts or modules, and nothing is small enough to be worth one.
    assetsInlineLimit: 0,
    // React and Mantine are most of it; they come from this machine, not over a network.
    chunkSizeWarningLimit: 700,
    // Of interest to whoever makes the build faster, not to whoever starts the assistant.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})
