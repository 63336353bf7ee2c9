/** What a tune run prints. */

import type { Colors } from 'picocolors/types.js'
import { tableText, textSection } from '../../../sim/html/table-section.ts'
import { right } from '../../../sim/html/components.ts'
import type { Look } from '../../../server/terminal/output.ts'
import { folded, several } from '../../../server/terminal/text.ts'
import { cellText, figure } from '../../statistics/effects.ts'
import { valueName } from '../axes.ts'
import type { SettingResult, TuneDocument } from '../document.ts'
import type { FigureName } from '../figures.ts'
import {
  fastestFirst,
  marksOf,
  meanIn,
  queueWords,
  searchWords,
  verdictWords,
} from '../sentences.ts'
import { differenceSections, limitSections } from './sections.ts'

/** The advice of a tune run for the terminal: the answer first, what it rests on last. */
export function tuneText(document: TuneDocument, look: Look): string {
  const { verdict, scenario, assumptions } = document
  const { colors, width } = look
  const read = (text: string): string => folded(text, width)
  const { title, reasons } = verdictWords(document)
  const answer = [
    `${scenario}${queueWords(document)}: ${colors.bold(title)}`,
    ...reasons.map((reason) => `  ${reason}`),
  ]
  const isEmpty = verdict.kind === 'empty'
  const basis = {
    id: 'model',
    title: 'Assumptions',
    words: [searchWords(document), ...assumptions],
  }
  return [
    read(`${answer.join('\n')}\n`),
    // What is copied from here stays as it is.
    ...(verdict.kind === 'change' && verdict.curl !== null ? [`${verdict.curl}\n`] : []),
    ...configurationText(document, colors),
    ...(isEmpty ? [] : differenceSections(document)).map((section) => textSection(section, look)),
    ...(isEmpty ? [] : [read(tableOf(document, look))]),
    ...[...(isEmpty ? [] : limitSections(document)), basis].map((section) =>
      textSection(section, look),
    ),
  ].join('\n')
}

/** The other product's own configuration. */
function configurationText({ configuration }: TuneDocument, colors: Colors): string[] {
  if (!configuration) return []
  const { target, text, apply, checked } = configuration
  const notes = [...apply, `checked against ${checked}`].map((line) => `  ${line}\n`)
  return [`${colors.bold(target)}\n${text}${notes.join('')}`]
}

/** The settings of the final that were compared with today's, or have a name. */
function tableOf(document: TuneDocument, { colors, width }: Look): string {
  const { settings, asked, seeds } = document
  const hasPrice = asked.prices !== null
  const rows = fastestFirst(settings)
    .filter(
      (each) =>
        (each.role === 'finalist' && each.sameAs === null) ||
        (each.role === 'around' && marksOf(each, document).length > 0),
    )
    .map((setting, index) => {
      const { p95, ciMinutes, price } = setting.figures
      const mean = (name: FigureName): string => {
        const value = meanIn(setting, name)
        return value === null ? '-' : figure(value)
      }
      return [
        // In a narrow terminal the number finds the rest of the row.
        `${index + 1} ${marksOf(setting, document).join(', ')}`,
        cellText(p95?.mean ?? null),
        p95?.range && p95.range.low < p95.range.high
          ? `${figure(p95.range.low)} to ${figure(p95.range.high)}`
          : '-',
        cellText(ciMinutes?.mean ?? null),
        ...(hasPrice ? [cellText(price?.mean ?? null)] : []),
        mean('evicted'),
        mean('unproven'),
        mean('peakSlots'),
        `${setting.isToday ? todayWords(document, setting) : setting.name}${likeWords(setting, document)}`,
      ]
    })
  const numbers = [
    ...['to land p95, min', 'p95 of 80 % of seeds', 'CI minutes per landed'],
    ...(hasPrice ? ['price per landed'] : []),
    ...['healthy evicted', 'merged unproven', 'peak slots'],
  ]
  const head = ['', ...numbers.map(right), 'setting']
  const title = `${colors.bold('Settings of the final')}, means with 95 % intervals over ${several(seeds, 'seed')}`
  return `${title}\n${tableText({ head, rows }, width)}`
}

/** Settings of the final that act like this one are in its row. */
function likeWords({ name }: SettingResult, { settings }: TuneDocument): string {
  const like = settings.filter((each) => each.role === 'finalist' && each.sameAs === name)
  return like.length === 0 ? '' : `; just like ${like.map((each) => each.name).join('; ')}`
}

/** Today's setting with its values. */
function todayWords({ axes }: TuneDocument, { labels }: SettingResult): string {
  // A value without effect has a dash for a label.
  const effective = axes.filter(({ name }) => labels[name] !== '-')
  const values = effective.map((axis) =>
    [
      valueName(axis, labels[axis.name] ?? 'as in the file'),
      ...(axis.isAssumed ? ['(assumed)'] : []),
    ].join(' '),
  )
  return `today's setting: ${values.join(', ')}`
}
