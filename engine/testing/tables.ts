/** The tables of the model as Markdown for engine/README.md. A test compares them. */

import { configurationFields, type ConfigurationField } from '../model/configuration.ts'
import { pullRequestTransitions } from '../model/pull-request.ts'
import { queueStateTable, queueStates } from '../model/queue-state.ts'

/** Returns the transition table of a pull request as Markdown. */
export function pullRequestTransitionsTable(): string {
  const rows = pullRequestTransitions.map(({ from, to, reasons }) => [
    from.join(', '),
    to,
    reasons.map((reason) => (reason === null ? '' : `\`${reason}\``)).join(' '),
  ])
  return markdownTable(['from', 'to', 'reason'], rows)
}

/** Returns the table of what each state of a queue permits as Markdown. */
export function queueStatesTable(): string {
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
