import { readFileSync, writeFileSync } from 'node:fs'
import picocolors from 'picocolors'
import { expect, test } from 'vitest'
import { commandOf, fileKinds, pathOf } from '../../../sim/import/github/read-folder.ts'
import { runAndJudge } from '../../../sim/judge/run-scenario.ts'
import { properties } from '../../../sim/properties/index.ts'
import { loadScenario } from '../../../sim/scenario/load.ts'
import { summaryText } from '../../../sim/cli/run-files.ts'

function historyFiles(): string[] {
  return Object.values(fileKinds).flatMap((kind) => [
    `- **${pathOf(kind)}**, ${kind.words}:`,
    `  \`${commandOf(kind)} > ${pathOf(kind)}\``,
  ])
}

test('the generated list of files in sim/import/README.md is up to date', () => {
  const file = 'sim/import/README.md'
  const text = readFileSync(file, 'utf8')
  const begin = '<!-- generated: files -->\n'
  const start = text.indexOf(begin) + begin.length
  const end = text.indexOf('<!-- end -->', start)
  const expected = `\n${historyFiles().join('\n')}\n\n`
  // To update the document: WRITE_TABLES=1 npx vitest run documents
  if (process.env['WRITE_TABLES'] === '1') {
    writeFileSync(file, text.slice(0, start) + expected + text.slice(end))
    return
  }
  expect(text.slice(start, end)).toBe(expected)
})

test('README.md shows the output of its first command', () => {
  const readme = readFileSync('README.md', 'utf8')
  const scenario = loadScenario('scenarios/flaky-storm.json')
  const run = runAndJudge(scenario, { properties, once: false })
  const summary = summaryText(run, picocolors.createColors(false), false)
  const [, shown = ''] = /```text\n(flaky-storm [^`]+)```/.exec(readme) ?? []
  if (process.env['WRITE_TABLES'] === '1') {
    writeFileSync('README.md', readme.replace(shown, summary))
    return
  }
  expect(shown).toBe(summary)
})
