/**
 * `--junit`: a folder of JUnit reports. Each file is a run; the files of a subfolder are one run,
 * as long as all of them together.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import { BadInput } from '../scenario/bad-input.ts'

export type JUnitRun = {
  readonly minutes: number
  readonly hasFailed: boolean
  /** Tests that failed and passed when they were tried again within the run. */
  readonly flaky: readonly string[]
}

/** Throws `BadInput` for a folder without reports, and for files that are none. */
export function readJUnit(folder: string, name: string): JUnitRun[] {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder) {
    throw new BadInput(name, [{ where: '--junit', expected: 'a folder', came: 'none' }])
  }
  const runs = readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (!entry.isDirectory()) return isReport(entry.name) ? [[entry.name]] : []
      const inside = readdirSync(join(folder, entry.name)).filter(isReport).sort()
      return inside.length > 0 ? [inside.map((each) => join(entry.name, each))] : []
    })
  if (runs.length === 0) {
    const expected = 'a folder with JUnit reports (*.xml) in it'
    throw new BadInput(name, [{ where: '--junit', expected, came: 'none' }])
  }
  return runs.map((files) =>
    together(files.map((file) => parseJUnit(readFileSync(join(folder, file), 'utf8'), file))),
  )
}

const isReport = (name: string): boolean => name.endsWith('.xml')

function together(parts: readonly JUnitRun[]): JUnitRun {
  return {
    minutes: parts.reduce((sum, { minutes }) => sum + minutes, 0),
    hasFailed: parts.some(({ hasFailed }) => hasFailed),
    flaky: parts.flatMap(({ flaky }) => flaky),
  }
}

/** A suite or a test, as far as it matters. */
type Part = {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly parts: Part[]
}

/** Reads one report. Throws `BadInput` where it is none. */
export function parseJUnit(text: string, name: string): JUnitRun {
  const root = rootOf(text, name)
  if (root.tag !== 'testsuites' && root.tag !== 'testsuite') {
    const expected = '<testsuites> or <testsuite>'
    throw new BadInput(name, [{ where: 'root', expected, came: `<${root.tag}>` }])
  }
  const cases = casesOf(root)
  const are = (each: Part, ...tags: readonly string[]): boolean =>
    each.parts.some(({ tag }) => tags.includes(tag))
  return {
    minutes: secondsOf(root) / 60,
    hasFailed: cases.some((each) => are(each, 'failure', 'error')),
    flaky: cases.filter((each) => are(each, 'flakyFailure', 'flakyError')).map(nameOfCase),
  }
}

/** The whole document as a tree, without its texts. */
function rootOf(text: string, name: string): Part {
  const outside: Part = { tag: '', attributes: {}, parts: [] }
  const open = [outside]
  const parser = new SaxesParser()
  parser.on('opentag', ({ name: tag, attributes }) => {
    const part: Part = { tag, attributes, parts: [] }
    open.at(-1)?.parts.push(part)
    open.push(part)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('error', ({ message }) => {
    throw new BadInput(name, [{ where: '--junit', expected: 'XML', came: message }])
  })
  parser.write(text).close()
  return outside.parts[0] ?? outside
}

function casesOf(part: Part): Part[] {
  return part.tag === 'testcase' ? [part] : part.parts.flatMap(casesOf)
}

/** What it says, else what its parts add up to. Some tools group thousands by commas. */
function secondsOf({ attributes, parts }: Part): number {
  const time = attributes['time'] ?? ''
  const seconds = time === '' ? NaN : Number(time.replaceAll(',', ''))
  if (seconds >= 0) return seconds
  return parts.reduce((sum, part) => sum + secondsOf(part), 0)
}

function nameOfCase({ attributes }: Part): string {
  const parts = [attributes['classname'], attributes['name']].filter(
    (part) => part !== undefined && part !== '',
  )
  return parts.length === 0 ? 'a test without a name' : parts.join(' > ')
}
