/** A worker whose script fails while it loads. */
export {}
throw new Error('broken on purpose')
