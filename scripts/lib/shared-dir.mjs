import { resolve } from 'node:path'
import { root } from './root.mjs'

/** The folder beside the workspace that holds evaluation data too large for it. */
export const sharedDir = resolve(root, process.env.SHARED_DIR || '../shared')
