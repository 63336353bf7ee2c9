#!/usr/bin/env node
/**
 * The front door, `mergeyard <command> ...`: starts the program of that name as a process of its
 * own. It knows where the programs of all folders lie, and imports none of them.
 */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Where each lies, with its first argument where several share a program. */
const programs: Readonly<Record<string, string>> = {
  sim: './cli.js',
  start: '../server/main.js',
  'start --demo': './demo/cli.js',
  token: '../server/cli.js token',
  webhook: '../server/cli.js webhook',
  tune: '../bench/tune/cli.js',
  compare: '../bench/strategies/cli.js',
  bench: '../bench/cli.js',
}

const usage = `usage: mergeyard <${Object.keys(programs).join(' | ')}> [options]\n`

const isHelp = (arg: string): boolean => arg === '--help' || arg === '-h'

/** Whether an option is given, as an argument or as a variable. */
function isGiven(option: 'demo' | 'speed', args: readonly string[]): boolean {
  const isAskedFor = args.some((arg) => arg === `--${option}` || arg.startsWith(`--${option}=`))
  return isAskedFor || (process.env[`MERGEYARD_${option.toUpperCase()}`] ?? '') !== ''
}

function run(command: string | undefined, args: readonly string[]): void {
  const isServer = command === 'start' && !args.some(isHelp)
  // A demo is a server with a scenario's world around it.
  const isDemo = isServer && isGiven('demo', args)
  if (isServer && !isDemo && isGiven('speed', args)) {
    process.stderr.write('mergeyard: --speed is for a demo: give --demo as well\n')
    process.exitCode = 2
    return
  }
  const name = isDemo ? 'start --demo' : command
  const program = name === undefined ? undefined : programs[name]
  if (program === undefined) {
    process.stderr.write(usage)
    process.exitCode = command !== undefined && isHelp(command) ? 0 : 2
    return
  }
  const [file = '', ...first] = program.split(' ')
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [path, ...first, ...args], { stdio: 'inherit' })
  // A Ctrl-C reaches the child by itself; this process only waits for its answer.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => void child.kill('SIGTERM'))
  child.on('close', (code) => {
    process.exitCode = code ?? 130
  })
}

const [command, ...args] = process.argv.slice(2)
run(command, args)
