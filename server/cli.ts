#!/usr/bin/env node
/** The entry of `mergeyard token ...` and `mergeyard webhook ...`. */

import { main } from './admin/main.ts'

const { stdout, stderr, env } = process
process.exitCode = await main(process.argv.slice(2), {
  say: (text) => void stdout.write(text),
  explain: (text) => void stderr.write(text),
  env,
})
