/** A worker whose author forgot to call `serveMemory`. */
export {}
