/** What is read of GitHub's answers. The field names are GitHub's own; other fields are ignored. */

import { Ajv, type ValidateFunction } from 'ajv'

export type Repository = Items['repository']
/** A rule that is active for the target branch. */
export type Rule = Items['rule']
export type Pull = Items['pull']
export type User = Pull['user']
/** An event of a pull request's timeline. Which fields it has depends on `event`. */
export type TimelineItem = Items['timelineItem']
export type WorkflowRun = Items['workflowRun']
export type CheckRun = Items['checkRun']
export type CommitStatus = Items['commitStatus']

/** A history as it was downloaded. */
export type GitHubRecords = {
  readonly repository: Repository | null
  /** Null if they are not in the folder. */
  readonly rules: readonly Rule[] | null
  readonly pulls: readonly Pull[]
  /** By number. */
  readonly timelines: ReadonlyMap<number, readonly TimelineItem[]>
  /** By number: the changed files. */
  readonly files: ReadonlyMap<number, readonly Items['changedFile'][]>
  /** Each attempt of a run is one of its own. */
  readonly runs: readonly WorkflowRun[]
  readonly checks: readonly CheckRun[]
  /** By commit, oldest first. */
  readonly statuses: ReadonlyMap<string, readonly CommitStatus[]>
}

// The schemas of what is read of GitHub's answers: of one object in each list.

type Schema<Value = unknown> = Readonly<Record<string, unknown>> & {
  /** Only in its type: what fits it. */
  readonly fits?: Value
}

/** What fits the schema. */
type Fitting<Each> = Each extends { readonly fits?: infer Value }
  ? Exclude<Value, undefined>
  : never

const text: Schema<string> = { type: 'string' }
const nullableText: Schema<string | null> = { type: ['string', 'null'] }
const number: Schema<number> = { type: 'integer' }
const expectedTime = { 'x-expected': 'a time like 2026-03-01T09:30:00Z' }
const instant = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$`
const time: Schema<string> = { type: 'string', pattern: instant, ...expectedTime }
const nullableTime: Schema<string | null> = { ...time, type: ['string', 'null'] }

type Fields = Readonly<Record<string, Schema>>

/** A name with a question mark may be missing. */
type ObjectOf<Given extends Fields> = {
  readonly [Name in keyof Given as Name extends `${string}?` ? never : Name]: Fitting<Given[Name]>
} & {
  readonly [Name in keyof Given as Name extends `${infer Bare}?` ? Bare : never]?: Fitting<
    Given[Name]
  >
}

function object<Given extends Fields>(fields: Given): Schema<ObjectOf<Given>> {
  const names = Object.keys(fields)
  return {
    type: 'object',
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, schema]) => [name.replace('?', ''), schema]),
    ),
  }
}

function orNull<Value>(schema: Schema<Value>): Schema<Value | null> {
  const { type, ...rest } = schema
  return { ...rest, type: [type, 'null'] }
}

const listOf = <Value>(items: Schema<Value>): Schema<readonly Value[]> => ({ type: 'array', items })

const user = orNull(object({ login: text, 'type?': text }))

const parameters = object({
  'max_entries_to_build?': number,
  'check_response_timeout_minutes?': number,
  'required_status_checks?': listOf(object({ context: text })),
})

const schemas = {
  repository: object({ full_name: text, default_branch: text }),
  rule: object({ type: text, 'parameters?': parameters }),
  pull: object({
    number: { ...number, minimum: 1 },
    title: text,
    user,
    created_at: time,
    closed_at: nullableTime,
    merged_at: nullableTime,
    merge_commit_sha: nullableText,
    head: object({ sha: text, ref: text }),
    base: object({ ref: text }),
  }),
  timelineItem: object({
    'event?': text,
    'created_at?': time,
    'submitted_at?': time,
    'actor?': user,
    'user?': user,
    'sha?': text,
    'commit_id?': nullableText,
    'body?': nullableText,
    'state?': text,
    'committer?': object({ date: time }),
    'label?': object({ name: text }),
  }),
  changedFile: object({ filename: text }),
  workflowRun: object({
    id: number,
    'name?': nullableText,
    event: text,
    head_branch: nullableText,
    head_sha: text,
    status: nullableText,
    conclusion: nullableText,
    'run_attempt?': number,
    'run_started_at?': time,
    created_at: time,
    updated_at: time,
    'head_commit?': orNull(object({ message: text })),
  }),
  checkRun: object({
    name: text,
    head_sha: text,
    status: text,
    conclusion: nullableText,
    started_at: nullableTime,
    completed_at: nullableTime,
    app: orNull(object({ 'slug?': text })),
  }),
  commitStatus: object({ context: text, state: text, created_at: time }),
} as const

export type SchemaName = keyof typeof schemas

/** What an object is that fits the schema. */
export type Items = { readonly [Name in SchemaName]: Fitting<(typeof schemas)[Name]> }

// Both keep what they have compiled.
const checking = new Ajv({ allErrors: true, verbose: true, strict: false })
const removing = new Ajv({ removeAdditional: 'all', strict: false })

/** The check of one object. */
export function checkOf<Name extends SchemaName>(name: Name): ValidateFunction<Items[Name]> {
  return checking.compile<Items[Name]>(schemas[name])
}

/** Removes from an object what is not read. Returns false if it is damaged. */
export function trim<Name extends SchemaName>(name: Name, value: unknown): value is Items[Name] {
  return removing.compile<Items[Name]>(schemas[name])(value)
}
