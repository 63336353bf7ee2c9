import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import picocolors from 'picocolors'
import { describe, expect, test } from 'vitest'
import { runAndJudge } from './command-line/run-file.ts'
import { summaryOf } from './command-line/summary.ts'
import type { Scoreboard } from './defects/scoreboard.ts'
import { marks } from './marks/index.ts'
import { properties } from './properties/index.ts'
import { relations } from './relations/index.ts'
import { loadScenario } from './scenario/load.ts'

function scenarioRows(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json'))
    .sort()
    .map((file) => {
      const { description = '' } = loadScenario(`${folder}/${file}`)
      const path = `${folder}/${file}`.replace('scenarios/', '')
      return `- [${path.replace('.json', '')}](${path}): ${description}`
    })
}

// Made by: npm run sim -- --defects --report sim/defects
const scoreboard: Scoreboard = JSON.parse(readFileSync('sim/defects/scoreboard.json', 'utf8'))

const defectRows = scoreboard.defects.map(({ defect, sentence, caught }) => {
  if (!caught) return `- **${defect}**: ${sentence} Nobody notices.`
  const { property, seeds, pullRequests, events } = caught
  return `- **${defect}**: ${sentence} ${property}, seed ${seeds}; ${pullRequests} + ${events}.`
})

const worthRows = scoreboard.properties.map(({ property, alone, impliedBy, runs, runsAlone }) => {
  if (alone.length > 0) return `- **${property}** alone sees ${alone.join(', ')}.`
  if (runsAlone > 0)
    return `- **${property}** is alone in ${runsAlone} of ${runs} runs it speaks in.`
  return `- **${property}** is implied by ${impliedBy.join(' or ')}, on all ${runs} runs.`
})

const documents = [
  [
    'sim/README.md',
    'properties',
    properties.map(({ name, sentence }) => `- **${name}**: ${sentence}`),
  ],
  [
    'sim/README.md',
    'relations',
    relations.map(({ name, sentence }) => `- **${name}**: ${sentence}`),
  ],
  ['sim/README.md', 'marks', marks.map(({ name, sentence }) => `- **${name}**: ${sentence}`)],
  ['sim/README.md', 'defects', defectRows],
  ['sim/README.md', 'worth', worthRows],
  [
    'scenarios/README.md',
    'scenarios',
    [...scenarioRows('scenarios'), ...scenarioRows('scenarios/negative')],
  ],
] as const

describe('documents list what there is', () => {
  test.each(documents)('%s: %s', (file, name, lines) => {
    const text = readFileSync(file, 'utf8')
    const begin = `<!-- generated: ${name} -->\n`
    const start = text.indexOf(begin) + begin.length
    const end = text.indexOf('<!-- end -->', start)
    const wanted = `\n${lines.join('\n')}\n\n`
    // To bring the document up to date: WRITE_TABLES=1 npx vitest run documents
    if (process.env['WRITE_TABLES'] === '1') {
      writeFileSync(file, text.slice(0, start) + wanted + text.slice(end))
      return
    }
    expect(text.slice(start, end)).toBe(wanted)
  })
})

test('README.md shows what its first command says', () => {
  const readme = readFileSync('README.md', 'utf8')
  const scenario = loadScenario('scenarios/flaky-storm.json')
  const { result, failures } = runAndJudge(scenario, { properties, once: false })
  const told = { scenario, ...result, failures: failures.length, isCompared: true }
  const said = summaryOf(told, picocolors.createColors(false))
  const [, shown = ''] = /```text\n(flaky-storm [^`]+)```/.exec(readme) ?? []
  if (process.env['WRITE_TABLES'] === '1') {
    writeFileSync('README.md', readme.replace(shown, said))
    return
  }
  expect(shown).toBe(said)
})
