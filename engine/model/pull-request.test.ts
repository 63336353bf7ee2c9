import { readFileSync, writeFileSync } from 'node:fs'
import { env } from 'node:process'
import { expect, test } from 'vitest'
import { isAllowedMove, pullRequestStates, pullRequestTransitions } from './pull-request.ts'
import { configurationFields, type ConfigurationField } from './configuration.ts'
import { queueStateTable, queueStates } from './queue-state.ts'

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
  'the tables in engine/README.md are generated: %s',
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

// The tables of the model as Markdown for engine/README.md. A test compares them.

/** Returns the transition table of a pull request as Markdown. */
function pullRequestTransitionsTable(): string {
  const rows = pullRequestTransitions.map(({ from, to, reasons }) => [
    from.join(', '),
    to,
    reasons.map((reason) => (reason === null ? '' : `\`${reason}\``)).join(' '),
  ])
  return markdownTable(['from', 'to', 'reason'], rows)
}

/** Returns the table of what each state of a queue permits as Markdown. */
function queueStatesTable(): string {
  const yes = (allowed: boolean): string => (allowed ? 'yes' : 'no')
  const rows = queueStates.map((state) => {
    const { admits, startsNew, startsKnown, merges } = queueStateTable[state]
    return [state, ...[admits, startsNew, startsKnown, merges].map(yes)]
  })
  const heads = ['state', 'NOT_READY → PENDING', 'new starts', 'restarts and bisections', 'merges']
  return markdownTable(heads, rows)
}

/** Returns the table of all settings with range, default and meaning as Markdown. */
export function settingsTable(): string {
  const rows = Object.entries(configurationFields).map(([name, field]) => [
    `\`${name}\``,
    rangeOf(field),
    `\`${String(field.default)}\``,
    field.meaning,
  ])
  return markdownTable(['setting', 'value', 'default', 'meaning'], rows)
}

function rangeOf(field: ConfigurationField): string {
  switch (field.kind) {
    case 'integer':
      return `integer >= ${field.minimum}`
    case 'integer or null':
      return `integer >= ${field.minimum}, or null`
    case 'flag':
      return 'true, false'
    case 'choice':
      return field.choices.map((choice) => `\`${choice}\``).join(' ')
    case 'text':
      return 'non-empty string'
    case 'names or null':
      return 'list of strings, or null'
  }
}

function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  return [line(heads), line(rule), ...rows.map(line)].join('\n')
}
