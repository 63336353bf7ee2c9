/** Formats the advice of a tune run for the terminal: the answer first, what it rests on last. */

import type { Colors } from 'picocolors/types.js'
import { columns, several } from '../../server/terminal/text.ts'
import { figure, cellText } from '../statistics/text.ts'
import type { SettingResult, TuneDocument } from './document.ts'
import { valueName } from './axes.ts'
import { type FigureName, figureTable } from './figures.ts'
import {
  besideWords,
  changeWords,
  fastestFirst,
  foldedWords,
  marksOf,
  meanIn,
  policyWords,
  queueWords,
  searchWords,
  sensitivityRow,
  unprovenWords,
  untriedWords,
  verdictWords,
} from './sentences.ts'
import type { Effects } from './verdict.ts'

/** Returns the advice, the settings of the final, and the assumptions. */
export function tuningText(document: TuneDocument, colors: Colors): string {
  const parts = [
    adviceOf(document, colors),
    ...configurationText(document, colors),
    ...besideText(document, colors),
    ...policiesText(document, colors),
    ...(document.verdict.kind === 'empty' ? [] : [tableOf(document, colors)]),
    ...sensitivityOf(document, colors),
    ...listOf(colors.bold('what makes no difference'), foldedWords(document)),
    ...listOf(colors.bold('what it rests on'), [searchWords(document), ...document.assumptions]),
  ]
  return parts.join('\n')
}

function adviceOf(document: TuneDocument, colors: Colors): string {
  const { verdict, settings, scenario } = document
  const { title, reasons } = verdictWords(document)
  const lines = [
    `${scenario}${queueWords(document)}: ${colors.bold(title)}`,
    ...reasons.map((reason) => `  ${reason}`),
  ]
  const advised = verdict.kind === 'unsure' ? verdict.best : verdict.choice
  const setting = settings.find(({ name }) => name === advised)
  const today = settings.find(({ isToday }) => isToday)
  const isCompared = verdict.kind === 'change' || verdict.kind === 'unsure'
  if (!isCompared || !setting || !today || setting === today) return `${lines.join('\n')}\n`
  const curl = verdict.kind === 'change' && verdict.curl !== null ? `\n${verdict.curl}\n` : ''
  const head = `\n${advised} instead of today's setting\n`
  return `${lines.join('\n')}\n${head}${comparisonOf(setting, today, setting.againstToday)}${curl}`
}

const compared: readonly FigureName[] = [
  'p95',
  'p50',
  'ciMinutes',
  'price',
  'evicted',
  'broken',
  'meanSlots',
  'peakSlots',
]

function comparisonOf(
  setting: SettingResult,
  today: SettingResult,
  effects: Effects | null,
): string {
  const rows = compared.flatMap((name) => {
    const [before, after] = [meanIn(today, name), meanIn(setting, name)]
    if (before === null || after === null || (before === 0 && after === 0)) return []
    const means = `${figure(before)} to ${figure(after)} ${figureTable[name].unit}`
    const words = changeWords(name, effects?.[name] ?? null)
    return [[`  ${figureTable[name].title}`, means.trimEnd(), words]]
  })
  return `${columns(rows)}  ${unprovenWords(setting, today)}\n`
}

/** The other product's own configuration. */
function configurationText({ configuration }: TuneDocument, colors: Colors): string[] {
  if (!configuration) return []
  const { target, text, apply, checked } = configuration
  const notes = [...apply, `checked against ${checked}`].map((line) => `  ${line}\n`)
  return [`${colors.bold(target)}\n${text}${notes.join('')}`]
}

/** What Mergeyard would have given. */
function besideText(document: TuneDocument, colors: Colors): string[] {
  const { beside, verdict, settings } = document
  const choice = settings.find(({ name }) => name === verdict.choice)
  if (!beside || !choice || verdict.kind === 'empty') return []
  const { setting, againstChoice } = beside
  const title = `${colors.bold('beside it: Mergeyard')} with ${besideWords(beside)}`
  return [`${title}\n${comparisonOf(setting, choice, againstChoice)}`]
}

/** The best fixed setting instead of the adaptive policy. */
function policiesText(document: TuneDocument, colors: Colors): string[] {
  const { policies, settings } = document
  const adaptive = settings.find(({ name }) => name === policies?.adaptive)
  const fixed = settings.find(({ name }) => name === policies?.fixed)
  if (!policies || !adaptive || !fixed) return []
  const title = `${colors.bold('adaptive or fixed')}\n  ${policyWords(policies, document)}`
  const table = comparisonOf(fixed, adaptive, policies.fixedAgainstAdaptive)
  return [`${title}\n  from adaptive to fixed:\n${table}`]
}

const shown = {
  p95: ['to land', 'p95, min'],
  ciMinutes: ['CI minutes', 'per landed'],
  price: ['price', 'per landed'],
  evicted: ['healthy', 'evicted'],
  unproven: ['merged', 'unproven'],
  peakSlots: ['peak', 'slots'],
} as const satisfies Partial<Record<FigureName, readonly [string, string]>>

/** The settings of the final that were compared with today's, or have a name. */
function tableOf(document: TuneDocument, colors: Colors): string {
  const { settings, asked, seeds } = document
  const hasPrice = asked.prices !== null
  const rows = fastestFirst(settings)
    .filter(
      (each) =>
        (each.role === 'finalist' && each.sameAs === null) ||
        (each.role === 'around' && marksOf(each, document).length > 0),
    )
    .map((setting) => {
      const { p95, ciMinutes, price } = setting.figures
      const mean = (name: FigureName): string => {
        const value = meanIn(setting, name)
        return value === null ? '-' : figure(value)
      }
      return [
        marksOf(setting, document).join(', '),
        cellText(p95?.mean ?? null),
        p95?.range && p95.range.low < p95.range.high
          ? `${figure(p95.range.low)} to ${figure(p95.range.high)}`
          : '-',
        cellText(ciMinutes?.mean ?? null),
        ...(hasPrice ? [cellText(price?.mean ?? null)] : []),
        mean('evicted'),
        mean('unproven'),
        mean('peakSlots'),
        `${setting.isToday ? todayWords(document) : setting.name}${likeWords(setting, document)}`,
      ]
    })
  const heads = [
    shown.p95,
    ['p95 of 80 %', 'of seeds'] as const,
    shown.ciMinutes,
    ...(hasPrice ? [shown.price] : []),
    shown.evicted,
    shown.unproven,
    shown.peakSlots,
  ]
  const top = ['', ...heads.map(([line]) => line), '']
  const bottom = ['', ...heads.map(([, line]) => line), 'setting']
  const right = heads.map((_, index) => index + 1)
  const title = `${colors.bold('settings of the final')}, means with 95 % intervals over ${several(seeds, 'seed')}`
  return `${title}\n${columns([top, bottom, ...rows], right)}`
}

const sensitivityHead = [
  'assumed',
  'here',
  '',
  'surely',
  'on average',
  'tried',
  'beyond, this is better',
]

/** How far the advice holds; nothing where nothing was decided. */
function sensitivityOf(document: TuneDocument, colors: Colors): string[] {
  const { sensitivity } = document
  if (!sensitivity) return []
  const rows = sensitivity.map(sensitivityRow)
  const missing = untriedWords(document).map((words) => `  ${words}\n`)
  const table = rows.length === 0 ? '' : columns([sensitivityHead, ...rows])
  return [`${colors.bold('how far it holds')}\n${table}${missing.join('')}`]
}

/** Settings of the final that act like this one are in its row. */
function likeWords({ name }: SettingResult, { settings }: TuneDocument): string {
  const like = settings.filter((each) => each.role === 'finalist' && each.sameAs === name)
  return like.length === 0 ? '' : `; just like ${like.map((each) => each.name).join('; ')}`
}

/** Today's setting with its values. */
function todayWords({ axes, settings }: TuneDocument): string {
  const labels = settings.find(({ isToday }) => isToday)?.labels ?? {}
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

function listOf(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}\n${lines.map((line) => `  ${line}\n`).join('')}`]
}
