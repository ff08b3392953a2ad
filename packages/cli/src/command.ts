#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Read by a command that is run often, and done without where nothing may be written.
enableCompileCache()
const { run } = await import('./program/run.ts')
process.exitCode = await run(process.argv.slice(2), process)
