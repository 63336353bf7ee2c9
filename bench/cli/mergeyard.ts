#!/usr/bin/env node
/** The executable: connects the commands with this process. */

import { exitCodes } from '../../server/terminal/command.ts'
import { outputOf } from '../../server/terminal/output.ts'
import { runCommand } from './commands.ts'

const { env } = process
const [stdout, stderr] = [outputOf(process.stdout), outputOf(process.stderr)]
const interrupt = new AbortController()
// The first Ctrl-C requests an orderly stop, the second one ends the process.
process.once('SIGINT', () => interrupt.abort())

const faults: string[] = []
// A reader such as `head` may close the pipe before the end of the output. That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') faults.push(`standard output: ${error.message}\n`)
})

const { signal } = interrupt
const code = await runCommand(process.argv.slice(2), { stdout, stderr, env, signal })
const [fault] = faults
if (fault !== undefined) stderr.write(fault)
process.exitCode = fault === undefined ? code : exitCodes.badInput
// What an interrupted command has under way is not waited for.
if (code === exitCodes.interrupted) process.exit()
