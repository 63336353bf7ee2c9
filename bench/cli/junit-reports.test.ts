/** Reports of test commands, also of hostile commands. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../server/terminal/testing/temporary-folder.ts'
import { readReports, reportsIn } from './junit-reports.ts'

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

const failing = '<testsuite><testcase name="pays" file="a.mjs"><failure/></testcase></testsuite>'

test('failed tests are named with their file; one that passed when repeated is flaky', async () => {
  const folder = folderWith({
    'reports/a.xml': failing,
    'reports/b.xml':
      '<testsuite><testcase classname="cart" name="adds"><failure/></testcase>' +
      '<testcase classname="cart" name="adds"/></testsuite>',
    'other/c.xml': failing,
  })
  expect(await readReports(folder, ['reports/*.xml'])).toEqual({
    failed: [{ name: 'pays', file: 'a.mjs' }],
    flaky: [{ name: 'cart > adds' }],
  })
})

//
test('a test has one name in whatever slot it ran, also of the runner of Node', () => {
  const broken = "import test from 'node:test'\ntest('pays', () => { throw new Error('twice') })\n"
  const ran = () => {
    const folder = folderWith({ 'pay.test.mjs': broken, 'crash.test.mjs': 'process.exit(3)\n' })
    const report = ['--test-reporter=junit', '--test-reporter-destination=report.xml']
    const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...env } = process.env
    spawnSync(process.execPath, ['--test', ...report], { cwd: folder, env })
    const { failed } = reportsIn({ folder, patterns: ['report.xml'] })
    expect(failed.map(({ name }) => name)).toEqual(expect.arrayContaining(['pays']))
    expect(JSON.stringify(failed)).not.toContain(folder)
    return failed
  }
  expect(ran()).toEqual(ran())
  const spelled = (folder: string) =>
    `<testsuite><testcase classname="file://${folder}/a.mjs" name="${folder}/b.mjs pays" file="${folder}/c.mjs"><failure/></testcase></testsuite>`
  const folder = folderWith({})
  writeFileSync(join(folder, 'a.xml'), spelled(folder))
  expect(reportsIn({ folder, patterns: ['*.xml'] }).failed).toEqual([
    { name: 'a.mjs > b.mjs pays', file: 'c.mjs' },
  ])
})

test('a report that cannot be read names no test, and which one is said: the exit code decides without it', () => {
  const folder = folderWith({ 'a.xml': '<testsuite><testcase', 'b.xml': '<html></html>' })
  expect(reportsIn({ folder, patterns: ['*.xml'] })).toEqual({
    failed: [],
    flaky: [],
    unread: [
      expect.stringContaining('a report cannot be read: a.xml'),
      expect.stringContaining('b.xml: root: expected <testsuites> or <testsuite>, got <html>'),
    ],
  })
  expect(reportsIn({ folder, patterns: ['junit/*.xml'] }).unread).toEqual([
    'no report: no file matches junit/*.xml',
  ])
})

test('a failure is found also if its words have the colours of a terminal', () => {
  const words = '\u001b[31mpays twice\u001b[39m'
  const report = `<testsuite><testcase name="pays"><failure message="&#27;[1m">${words}</failure></testcase></testsuite>`
  const { failed, unread } = reportsIn({
    folder: folderWith({ 'a.xml': report }),
    patterns: ['*.xml'],
  })
  expect([failed, unread]).toEqual([[{ name: 'pays' }], undefined])
})

test('entities are not expanded, and no file is read because a report names it', () => {
  const bomb =
    '<!DOCTYPE t [<!ENTITY a "0123456789"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/hosts">]>' +
    '<testsuite><testcase name="&b;&c;"><failure/></testcase></testsuite>'
  const { failed } = reportsIn({ folder: folderWith({ 'a.xml': bomb }), patterns: ['*.xml'] })
  expect(JSON.stringify(failed)).not.toContain('0123456789')
  expect(JSON.stringify(failed)).not.toContain('localhost')
})

test('links are not followed, and installed packages are not searched', () => {
  const folder = folderWith({ 'node_modules/p/a.xml': failing, 'kept/a.xml': failing })
  symlinkSync(join(folder, 'kept'), join(folder, 'linked'))
  symlinkSync(join(folder, 'kept', 'a.xml'), join(folder, 'b.xml'))
  const patterns = ['*.xml', 'linked/*.xml', '**/p/*.xml']
  expect(reportsIn({ folder, patterns }).failed).toEqual([])
})
