/**
 * `--junit`: a folder of JUnit reports. Each file is one run. The files of a subfolder are one run
 * together, and its length is their sum.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import { BadInput } from '../scenario/bad-input.ts'

export type JUnitRun = {
  readonly minutes: number
  readonly hasFailed: boolean
  /** Tests that failed, and passed when they were repeated within the run. */
  readonly flaky: readonly string[]
}

/** Reads the runs of a folder. Throws `BadInput` if it has no reports, or invalid ones. */
export function readJUnit(folder: string, name: string): JUnitRun[] {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder) {
    throw new BadInput(name, [{ where: '--junit', expected: 'a folder', actual: 'none' }])
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
    throw new BadInput(name, [{ where: '--junit', expected, actual: 'none' }])
  }
  return runs.map((files) =>
    combined(files.map((file) => parseJUnit(readFileSync(join(folder, file), 'utf8'), file))),
  )
}

const isReport = (name: string): boolean => name.endsWith('.xml')

function combined(parts: readonly JUnitRun[]): JUnitRun {
  return {
    minutes: parts.reduce((sum, { minutes }) => sum + minutes, 0),
    hasFailed: parts.some(({ hasFailed }) => hasFailed),
    flaky: parts.flatMap(({ flaky }) => flaky),
  }
}

/** A suite or a test. */
type JUnitElement = {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly parts: JUnitElement[]
}

/** Parses one report. Throws `BadInput` if it is not one. */
export function parseJUnit(text: string, name: string): JUnitRun {
  const root = rootOf(text, name)
  if (root.tag !== 'testsuites' && root.tag !== 'testsuite') {
    const expected = '<testsuites> or <testsuite>'
    throw new BadInput(name, [{ where: 'root', expected, actual: `<${root.tag}>` }])
  }
  const cases = casesOf(root)
  const are = (each: JUnitElement, ...tags: readonly string[]): boolean =>
    each.parts.some(({ tag }) => tags.includes(tag))
  return {
    minutes: secondsOf(root) / 60,
    hasFailed: cases.some((each) => are(each, 'failure', 'error')),
    flaky: cases.filter((each) => are(each, 'flakyFailure', 'flakyError')).map(nameOfCase),
  }
}

/** Returns the document as a tree of elements, without texts. */
function rootOf(text: string, name: string): JUnitElement {
  const outside: JUnitElement = { tag: '', attributes: {}, parts: [] }
  const open = [outside]
  const parser = new SaxesParser()
  parser.on('opentag', ({ name: tag, attributes }) => {
    const part: JUnitElement = { tag, attributes, parts: [] }
    open.at(-1)?.parts.push(part)
    open.push(part)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('error', ({ message }) => {
    throw new BadInput(name, [{ where: '--junit', expected: 'XML', actual: message }])
  })
  parser.write(text).close()
  return outside.parts[0] ?? outside
}

function casesOf(part: JUnitElement): JUnitElement[] {
  return part.tag === 'testcase' ? [part] : part.parts.flatMap(casesOf)
}

/** The stated time, else the sum over the parts. Some tools write thousands with commas. */
function secondsOf({ attributes, parts }: JUnitElement): number {
  const time = attributes['time'] ?? ''
  const seconds = time === '' ? NaN : Number(time.replaceAll(',', ''))
  if (seconds >= 0) return seconds
  return parts.reduce((sum, part) => sum + secondsOf(part), 0)
}

function nameOfCase({ attributes }: JUnitElement): string {
  const parts = [attributes['classname'], attributes['name']].filter(
    (part) => part !== undefined && part !== '',
  )
  return parts.length === 0 ? 'a test without a name' : parts.join(' > ')
}
