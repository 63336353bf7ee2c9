/** Formats the result of a tune run for the terminal. */

import type { Colors } from 'picocolors/types.js'
import { columns, several } from '../../sim/terminal/text.ts'
import { cellText } from '../statistics/text.ts'
import { headOf } from './axes.ts'
import type { TuneDocument } from './document.ts'
import { figureNames, figureTable, type FigureName } from './figures.ts'
import { changeWords, fastestFirst, marksOf, verdictWords } from './sentences.ts'

const shown: readonly FigureName[] = ['p95', 'p50', 'ciMinutes', 'runs', 'evicted', 'broken']

const heads: Readonly<Record<FigureName, readonly [string, string]>> = {
  p95: ['in queue', 'p95, min'],
  p50: ['in queue', 'p50, min'],
  ciMinutes: ['CI minutes', 'per merge'],
  runs: ['runs', 'per merge'],
  evicted: ['healthy', 'evicted'],
  unproven: ['merged', 'unproven'],
  broken: ['main broken', 'min'],
}

/** Returns the assumptions, the table of settings, the verdict and the curl command. */
export function tuningText(document: TuneDocument, colors: Colors): string {
  const { scenario, settings, seeds } = document
  const head = `${colors.bold(scenario)}   ${several(settings.length, 'setting')}, up to ${several(seeds, 'seed')} each, the same pull requests for every setting\n`
  const model = document.assumptions.map((each) => `  ${each}\n`).join('')
  return `${head}${model}\n${tableOf(document)}\n${adviceOf(document, colors)}`
}

function tableOf(document: TuneDocument): string {
  const { axes, settings } = document
  const varied = axes.filter(({ values }) => values.length > 1)
  const rows = fastestFirst(settings).map((setting) => [
    ...varied.map(({ name }) => setting.labels[name] ?? 'file'),
    ...shown.map((name) => cellText(setting.figures[name])),
    marksOf(setting, document).join(', '),
  ])
  const top = [...varied.map(() => ''), ...shown.map((name) => heads[name][0]), '']
  const bottom = [...varied.map(headOf), ...shown.map((name) => heads[name][1]), '']
  const right = Array.from({ length: varied.length + shown.length }, (_, index) => index)
  return columns([top, bottom, ...rows], right)
}

function adviceOf(document: TuneDocument, colors: Colors): string {
  const { verdict, settings } = document
  const { title, reasons } = verdictWords(document)
  const lines = [colors.bold(title), ...reasons.map((reason) => `  ${reason}`)]
  const choice = settings.find(({ name }) => name === verdict.choice)
  if (!choice || verdict.kind === 'keep') return `${lines.join('\n')}\n`
  const changes = figureNames.map((name) => [
    `  ${figureTable[name].title}`,
    changeWords(name, choice.againstToday[name]),
  ])
  const set = verdict.curl === null ? '' : `\n${verdict.curl}\n`
  return `${lines.join('\n')}\n\ncompared with today's setting, with 95 % confidence intervals\n${columns(changes)}${set}`
}
