import { readFileSync, writeFileSync } from 'node:fs'
import { env } from 'node:process'
import { expect, test } from 'vitest'
import { pullRequestTransitionsTable, queueStatesTable, settingsTable } from '../testing/tables.ts'

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
    // To update the document: WRITE_TABLES=1 npx vitest run tables
    if (env['WRITE_TABLES'] === '1') {
      writeFileSync('engine/README.md', text.slice(0, start) + expected + text.slice(end))
      return
    }
    expect(text.slice(start, end)).toBe(expected)
  },
)
