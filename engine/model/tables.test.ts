import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pullRequestTransitionsTable, queueStatesTable, settingsTable } from './tables.ts'

const tables = {
  'pull request transitions': pullRequestTransitionsTable(),
  'queue states': queueStatesTable(),
  settings: settingsTable(),
}

describe('engine/README.md shows the tables as they are in the code', () => {
  test.each(Object.entries(tables))('%s', (name, table) => {
    const text = readFileSync('engine/README.md', 'utf8')
    const begin = `<!-- generated: ${name} -->\n`
    const start = text.indexOf(begin) + begin.length
    const end = text.indexOf('<!-- end -->', start)
    const wanted = `\n${table}\n\n`
    // To bring the document up to date: WRITE_TABLES=1 npx vitest run tables
    if (process.env['WRITE_TABLES'] === '1') {
      writeFileSync('engine/README.md', text.slice(0, start) + wanted + text.slice(end))
      return
    }
    expect(text.slice(start, end)).toBe(wanted)
  })
})
