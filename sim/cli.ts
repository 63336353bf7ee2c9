#!/usr/bin/env node
/** The entry of `npm run sim`. */

import { main } from './command-line/main.ts'

const interrupt = new AbortController()
process.once('SIGINT', () => interrupt.abort())
// A reader like `head` may go away in the middle of the output: that is no fault of ours.
process.stdout.on('error', () => undefined)

const { stdout, stderr, env } = process
process.exitCode = await main(process.argv.slice(2), {
  stdout,
  stderr,
  env,
  signal: interrupt.signal,
})
