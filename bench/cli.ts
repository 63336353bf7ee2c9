#!/usr/bin/env node
/** The entry of `npm run bench`. */

import { main } from './command-line/main.ts'

const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort())
process.stdout.on('error', () => undefined)

const { stdout, stderr, env } = process
process.exitCode = await main(process.argv.slice(2), {
  stdout,
  stderr,
  env,
  signal: interrupt.signal,
})
