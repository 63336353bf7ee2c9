/**
 * `--junit`: a folder of JUnit reports. Each file is one run. The files of a subfolder are one run
 * together, and its length is their sum.
 */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import { BadInput } from '../../server/terminal/bad-input.ts'
import { kindAt, readBytes } from '../../server/terminal/files.ts'
import { groupedBy } from './landings/grouped.ts'

// A JUnit report: which tests failed, and which failed first and passed when they were repeated.

/** A suite or a test. */
type JUnitElement = {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly parts: JUnitElement[]
}

export type ReportedTest = {
  /** The class or suite that the report names; often empty. */
  readonly suite: string
  readonly name: string
  /** Only if the report names it. */
  readonly file?: string
}

type JUnitReport = {
  readonly seconds: number
  /** Tests that failed, and did not pass when they were repeated. */
  readonly failed: readonly ReportedTest[]
  /** Tests that failed, and passed when they were repeated within the run. */
  readonly flaky: readonly ReportedTest[]
}

/** Parses one report. Throws `BadInput` if it is not one. */
export function parseReport(text: string, name: string): JUnitReport {
  const root = rootOf(text, name)
  if (root.tag !== 'testsuites' && root.tag !== 'testsuite') {
    const expected = '<testsuites> or <testsuite>'
    throw new BadInput(name, [{ where: 'root', expected, actual: `<${root.tag}>` }])
  }
  const all = [...groupedBy(casesOf(root), (each) => JSON.stringify(testOf(each))).values()]
  return {
    seconds: secondsOf(root),
    failed: all.filter((cases) => failsIn(cases.at(-1))).flatMap(firstOf),
    flaky: all
      .filter((cases) => !failsIn(cases.at(-1)) && cases.some(wasRepeated))
      .flatMap(firstOf),
  }
}

/** A repeated test has an element of its own for each attempt, or names its failures in the last one. */
function wasRepeated(each: JUnitElement): boolean {
  return failsIn(each) || has(each, 'flakyFailure', 'flakyError')
}

const failsIn = (each: JUnitElement | undefined): boolean =>
  each !== undefined && has(each, 'failure', 'error')

function has(each: JUnitElement, ...tags: readonly string[]): boolean {
  return each.parts.some(({ tag }) => tags.includes(tag))
}

const firstOf = ([first]: readonly JUnitElement[]): ReportedTest[] => (first ? [testOf(first)] : [])

/** Colours of a terminal in a message, for example: no XML, but many tools write them, and what failed is clear. */
const isOfCharacter = /(disallowed character|malformed character entity)\.$/

/** Returns the document as a tree of elements, without texts. */
function rootOf(text: string, name: string): JUnitElement {
  const outside: JUnitElement = { tag: '', attributes: {}, parts: [] }
  const open = [outside]
  const parser = new SaxesParser()
  parser.on('opentag', ({ name: tag, attributes }) => {
    if (open.length > deepest) throw notXml(name, `at most ${deepest} levels of elements`, 'more')
    const part: JUnitElement = { tag, attributes, parts: [] }
    open.at(-1)?.parts.push(part)
    open.push(part)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('error', ({ message }) => {
    if (isOfCharacter.test(message)) return
    throw notXml(name, 'XML', message)
  })
  parser.write(text).close()
  return outside.parts[0] ?? outside
}

const notXml = (name: string, expected: string, actual: string): BadInput =>
  new BadInput(name, [{ where: '--junit', expected, actual }])

/** Those who walk through the elements would exhaust the stack. */
const deepest = 1_000

function casesOf(part: JUnitElement): JUnitElement[] {
  return part.tag === 'testcase' ? [part] : part.parts.flatMap(casesOf)
}

/** A hundred years, as no scenario has more. */
const longestSeconds = 3_153_600_000

/** The stated time, else the sum over the parts. Some tools write thousands with commas. */
function secondsOf({ attributes, parts }: JUnitElement): number {
  const time = attributes['time'] ?? ''
  const seconds = time === '' ? NaN : Number(time.replaceAll(',', ''))
  if (seconds >= 0 && seconds <= longestSeconds) return seconds
  return parts.reduce((sum, part) => sum + secondsOf(part), 0)
}

function testOf({ attributes }: JUnitElement): ReportedTest {
  const { classname = '', name = '', file = '' } = attributes
  // Some tools repeat the name as the class, and some have only one of the two.
  const test = name === '' ? classname : name
  return {
    suite: classname === test ? '' : classname,
    name: test === '' ? 'a test without a name' : test,
    ...(file === '' ? {} : { file }),
  }
}

export type JUnitRun = {
  readonly minutes: number
  readonly hasFailed: boolean
  /** Tests that failed, and passed when they were repeated within the run. */
  readonly flaky: readonly string[]
}

/** Reads the runs of a folder. Throws `BadInput` if it has no reports, or invalid ones. */
export function readJUnit(folder: string, name: string): JUnitRun[] {
  if (kindAt(folder) !== 'folder') {
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
    combined(files.map((file) => parseJUnit(textOf(join(folder, file), file), file))),
  )
}

const textOf = (path: string, name: string): string =>
  new TextDecoder().decode(readBytes(path, name))

const isReport = (name: string): boolean => name.endsWith('.xml')

function combined(parts: readonly JUnitRun[]): JUnitRun {
  return {
    minutes: parts.reduce((sum, { minutes }) => sum + minutes, 0),
    hasFailed: parts.some(({ hasFailed }) => hasFailed),
    flaky: parts.flatMap(({ flaky }) => flaky),
  }
}

/** Parses one report. Throws `BadInput` if it is not one. */
export function parseJUnit(text: string, name: string): JUnitRun {
  const { seconds, failed, flaky } = parseReport(text, name)
  return {
    minutes: seconds / 60,
    hasFailed: failed.length > 0,
    flaky: flaky.map(({ suite, name: test }) => (suite === '' ? test : `${suite} > ${test}`)),
  }
}
