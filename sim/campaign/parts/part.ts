/** What every part of a campaign says about itself, and whether parts make a whole. */

import { createHash } from 'node:crypto'
import { BadInput } from '../../scenario/bad-input.ts'
import { build } from './build.ts'

export type Part = {
  /** The first of `of` parts has index 1. */
  readonly index: number
  readonly of: number
  /** The command line of the whole campaign, without options about its output. */
  readonly campaign: readonly string[]
  /** A hash of all that is run: scenarios, seeds, settings. */
  readonly input: string
  /** The build that ran it. */
  readonly build: string
}

/** A part, and the file that it came from. */
export type NamedPart = { readonly file: string; readonly part: Part }

/** The JSON Schema of a part. */
export const partSchema = {
  type: 'object',
  properties: {
    index: { type: 'integer', minimum: 1 },
    of: { type: 'integer', minimum: 1 },
    campaign: { type: 'array', items: { type: 'string' } },
    input: { type: 'string' },
    build: { type: 'string' },
  },
  required: ['index', 'of', 'campaign', 'input', 'build'],
} as const

const digits = 16

/** Returns a hash of what a campaign runs. */
export function inputOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, digits)
}

/** Returns the command that runs a part. */
export function commandOfPart({ campaign, index, of }: Part): string {
  return `"mergeyard ${campaign.join(' ')} --shard ${index}/${of}"`
}

/** Throws `BadInput` unless these are all parts of one campaign, each once, and of this build. */
export function refuseUnfit(parts: readonly NamedPart[]): void {
  const [first] = parts
  if (!first) return
  refuseOtherBuild(first)
  for (const each of parts) refuseForeign(each, first)
  for (let index = 1; index <= first.part.of; index++) refuseUnlessOnce(index, parts, first)
}

/** The merge computes as well, so it needs the build of the parts. */
function refuseOtherBuild(first: NamedPart): void {
  const { part } = first
  if (part.build === build()) return
  const actual = `${part.build}: merge with that build, or run all parts again with this one`
  throw fault(first, 'build', `this build, ${build()}`, actual)
}

function refuseForeign(each: NamedPart, { file, part: model }: NamedPart): void {
  const { part } = each
  const again = commandOfPart({ ...model, index: part.index })
  const isSameCampaign = part.campaign.join('\n') === model.campaign.join('\n')
  if (!isSameCampaign || part.of !== model.of) {
    const expected = `a part of the campaign of ${file}, as of ${commandOfPart(model)}`
    throw fault(each, 'campaign', expected, `${commandOfPart(part)}: leave it out`)
  }
  if (part.build !== model.build) {
    const actual = `${part.build}: run ${again} with the build of ${file}`
    throw fault(each, 'build', `${model.build}, as ${file}`, actual)
  }
  if (part.input !== model.input) {
    const actual = `${part.input}: run ${again} on the scenario of ${file}`
    throw fault(each, 'input', `${model.input}, as ${file}`, actual)
  }
}

function refuseUnlessOnce(index: number, parts: readonly NamedPart[], first: NamedPart): void {
  const { of } = first.part
  const [one, again] = parts.filter(({ part }) => part.index === index)
  if (again) {
    const actual = `it again, as in ${one?.file}: leave one of them out`
    throw fault(again, 'index', `part ${index} of ${of} once`, actual)
  }
  if (one) return
  const actual = `none of index ${index}: run ${commandOfPart({ ...first.part, index })}`
  throw fault(first, 'of', `${of} parts`, actual)
}

function fault({ file }: NamedPart, field: string, expected: string, actual: string): BadInput {
  return new BadInput(file, [{ where: `/part/${field}`, expected, actual }])
}
