#!/usr/bin/env node
/** Entry of the published command. Wiring only. */
import { main } from './command/main.ts'

process.exitCode = await main(process.argv.slice(2))
