import { expect, test } from 'vitest'
import { isAllowedMove, pullRequestStates, pullRequestTransitions } from './pull-request.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { env } from 'node:process'
import { pullRequestTransitionsTable, queueStatesTable, settingsTable } from '../testing/tables.ts'

test('a move is allowed if one row of the table has its states and its reason, and only then', () => {
  const reasons = [...new Set(pullRequestTransitions.flatMap((row) => row.reasons))]
  for (const from of ['none', ...pullRequestStates] as const) {
    for (const to of pullRequestStates) {
      for (const reason of reasons) {
        const rows = pullRequestTransitions.filter(
          (row) => row.from.includes(from) && row.to === to && row.reasons.includes(reason),
        )
        expect([from, to, reason, isAllowedMove(from, to, reason)]).toEqual([
          ...[from, to, reason],
          rows.length > 0,
        ])
      }
    }
  }
})

const tables = {
  'pull request transitions': pullRequestTransitionsTable(),
  'queue states': queueStatesTable(),
  settings: settingsTable(),
}

test.each(Object.entries(tables))(
  'the generated tables in engine/README.md match the code: %s',
  (name, table) => {
    const text = readFileSync('engine/README.md', 'utf8')
    const begin = `<!-- generated: ${name} -->\n`
    const start = text.indexOf(begin) + begin.length
    const end = text.indexOf('<!-- end -->', start)
    const expected = `\n${table}\n\n`
    // To update the document: WRITE_TABLES=1 npx vitest run engine/model/pull-request
    if (env['WRITE_TABLES'] === '1') {
      writeFileSync('engine/README.md', text.slice(0, start) + expected + text.slice(end))
      return
    }
    expect(text.slice(start, end)).toBe(expected)
  },
)
