#!/usr/bin/env node
// The command inside the workspace, where packages are TypeScript: published packages have dist/cli.js instead.
import { register } from 'tsx/esm/api'

register()
await import('../src/cli.ts')
