/** What the entries of all commands do: hand a program the process around it. */

import { exitCodes, type Surroundings } from './surroundings.ts'

type Program = (args: readonly string[], around: Surroundings) => Promise<number>

/** Runs the program with the arguments of this process; Ctrl-C asks it to come to an end. */
export async function start(program: Program): Promise<void> {
  const interrupt = new AbortController()
  process.once('SIGINT', () => interrupt.abort())
  const faults: string[] = []
  // A reader like `head` may go away in the middle of the output: that is no fault of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') faults.push(`standard output: ${error.message}\n`)
  })
  const { stdout, stderr, env } = process
  const { signal } = interrupt
  const code = await program(process.argv.slice(2), { stdout, stderr, env, signal })
  const [fault] = faults
  if (fault !== undefined) stderr.write(fault)
  process.exitCode = fault === undefined ? code : exitCodes.badInput
}
