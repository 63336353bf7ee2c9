/** Runs commands for tests, in a folder that is removed after them. */

import { readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCommand } from '../commands.ts'
import { captured } from '../../../server/terminal/testing/captured.ts'
import type { Output, Surroundings } from '../../../server/terminal/testing/captured.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'

export const widest = (lines: readonly string[]): number =>
  Math.max(...lines.map(({ length }) => length))

/** The words of a command line; a word with spaces is in quotes. */
export type Line = string | readonly string[]

export const wordsOf = (line: Line): readonly string[] =>
  typeof line === 'string' ? (line.match(/'[^']*'|\S+/g) ?? []).map(unquoted) : line

const unquoted = (word: string): string => word.replace(/^'(.*)'$/, '$1')

/** An empty folder to run commands in, for a test, or for all of a file or of a `describe`. */
export class CliFolder {
  readonly path: string
  /** Variables that every command gets. */
  readonly env: NodeJS.ProcessEnv

  constructor(...atEnd: Parameters<typeof temporaryFolder>) {
    this.path = temporaryFolder(...atEnd)
    this.env = { INIT_CWD: this.path }
  }

  /** Runs a command in this process. */
  run(line: Line, { env, ...surroundings }: Surroundings = {}): Promise<Output> {
    const all = { ...surroundings, env: { ...this.env, ...env } }
    return captured((context) => runCommand(wordsOf(line), context), all)
  }

  /** What a command prints that does what it is told, and has nothing else to say. */
  async printed(line: Line, env: NodeJS.ProcessEnv = {}): Promise<string> {
    return outOfDone(await this.run(line, { env }))
  }

  /** The document that a command prints, also one that fails. */
  async document<Document>(line: Line, env: NodeJS.ProcessEnv = {}): Promise<Document> {
    const document: Document = JSON.parse((await this.run(line, { env })).out)
    return document
  }

  /** A command refuses what it cannot do: one line, no result, exit code 2. */
  async refuses(line: Line, words: string | RegExp, env: NodeJS.ProcessEnv = {}): Promise<void> {
    expectRefusal(await this.run(line, { env }), words)
  }

  /** The lines that a command writes into a terminal of so many columns. */
  async shownIn(width: number, line: Line): Promise<string[]> {
    return (await this.run(line, { width })).out.split('\n')
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8')
  }

  /** The document in a file. */
  async documentIn<Document>(name: string): Promise<Document> {
    const document: Document = JSON.parse(await readFile(join(this.path, name), 'utf8'))
    return document
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text)
  }

  /** Writes a scenario file. Returns its name. */
  scenario(name: string, body: object | string): string {
    this.write(`${name}.json`, typeof body === 'string' ? body : JSON.stringify({ name, ...body }))
    return `${name}.json`
  }
}

function outOfDone({ code, out, err }: Output): string {
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

function expectRefusal({ code, out, err }: Output, words: string | RegExp): void {
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^[^\n]+\n$/)
  expect(err).toMatch(words)
}
