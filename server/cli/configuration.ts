/** `mergeyard.json`: more than one queue, or more than the options of `serve` can say. */

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Ajv2020, type AnySchema, type SchemaObject } from 'ajv/dist/2020.js'
import { type RecordedSettings, schemaFaults } from '../../engine/index.ts'
import type { CommandTests, HostOptions } from '../hosting/options.ts'
import {
  isLocal,
  nameOfQueue,
  repositoryIn,
  repositoryOf,
  type Repository,
  localPath,
} from '../identity/queue-ref.ts'
import { onlyCommand } from '../runner/command-runner.ts'
import type { TargetsOptions } from '../targets/matching.ts'
import { BadInput, shownFaults } from '../terminal/bad-input.ts'
import { parseJson } from '../terminal/json-text.ts'
import { readBytes } from '../terminal/files.ts'
import {
  type From,
  hostTests,
  type Kind,
  kinds,
  placeOn,
  pollSecondsOfCodeHosts,
  type WrittenCodeHost,
} from './code-hosts.ts'

type WrittenTests =
  | ({ readonly kind: 'command' } & Partial<CommandTests> & Pick<CommandTests, 'run'>)
  | { readonly kind: 'external' }
  | { readonly kind: 'host'; readonly noCiMinutes?: number; readonly allowSkipped?: boolean }

type WrittenQueue = Readonly<Partial<Record<Kind, WrittenCodeHost>>> & {
  /** Missing only for a repository on a code host with an API. */
  readonly url?: string
  readonly targetBranch?: string
  readonly repo?: Repository
  readonly tests?: WrittenTests
  readonly targets?: TargetsOptions
  readonly set?: RecordedSettings
  readonly pollSeconds?: number
}

type Written = { readonly queues: readonly WrittenQueue[] }

/** Relative to the compiled file, which is one folder deeper than this one. */
const root = new URL('../../../', import.meta.url)

export const defaultKeep = ['node_modules']
export const defaultPollSeconds = 2

/** Reads the file, or what is going to be in it. Throws `BadInput` with every fault, by JSON pointer. */
export function readConfiguration(
  path: string,
  name: string,
  env: NodeJS.ProcessEnv,
  document: unknown = parseJson(readBytes(path, name), name),
): HostOptions[] {
  const isValid = validator()
  if (!isValid(document)) {
    const { schema } = isValid
    const faults = schemaFaults(isValid.errors ?? [], (part) => partOf(schema, part))
    throw new BadInput(name, shownFaults(faults))
  }
  const from = { folder: dirname(path), env }
  return document.queues
    .map((queue) => optionsOf(queue, from))
    .map((options, index, all) => {
      const queue = nameOfQueue(options.ref)
      if (all.findIndex(({ ref }) => nameOfQueue(ref) === queue) === index) return options
      const expected = 'each queue once; of two repositories with one name "repo" gives one another'
      throw new BadInput(name, [{ where: `/queues/${index}`, expected, actual: queue }])
    })
}

function optionsOf(queue: WrittenQueue, from: From): HostOptions {
  const { targetBranch = 'main', set = {}, tests = hostTests, targets } = queue
  const { url, repository, codeHost, pollSeconds } = placeOf(queue, from)
  return {
    ref: { ...repositoryOf(repository), targetBranch },
    url,
    ...(codeHost ? { codeHost } : {}),
    set,
    pollMs: (queue.pollSeconds ?? pollSeconds) * 1_000,
    tests: testsOf(tests, from),
    ...(targets ? { targets } : {}),
    secretFiles: secretFilesOf(queue).map((path) => resolve(from.folder, path)),
  }
}

/** Where the repository is, and what the API calls it. */
function placeOf(queue: WrittenQueue, from: From) {
  const { url: address = '', repo } = queue
  for (const kind of kinds) {
    const written = queue[kind]
    if (!written) continue
    const { url, repository, codeHost } = placeOn(kind, written, from)
    return {
      url: address === '' ? url : address,
      repository: repo ?? repository,
      codeHost,
      pollSeconds: pollSecondsOfCodeHosts,
    }
  }
  const url = isLocal(address) ? localPath(address, from.folder) : address
  return {
    url,
    repository: repo ?? repositoryIn(url),
    codeHost: null,
    pollSeconds: defaultPollSeconds,
  }
}

/** The files that only the server reads. */
function secretFilesOf(queue: WrittenQueue): string[] {
  return kinds.flatMap((kind) => {
    const { tokenFile, webhookSecretFiles = [], app } = queue[kind] ?? {}
    return [tokenFile ?? [], webhookSecretFiles, app?.keyFile ?? []].flat()
  })
}

function testsOf(tests: WrittenTests, { folder }: From): HostOptions['tests'] {
  if (tests.kind === 'external') return tests
  if (tests.kind === 'host') return { ...hostTests, ...tests }
  const { bind = [], ...written } = tests
  const bound = bind.map((path) => resolve(folder, path))
  return { ...onlyCommand, keep: defaultKeep, ...written, bind: bound }
}

/** What a part of the schema refers to in it, or the part itself. */
function partOf(schema: AnySchema, part: SchemaObject): SchemaObject {
  const parts: Readonly<Record<string, SchemaObject>> =
    typeof schema === 'object' ? (schema['$defs'] ?? {}) : {}
  return parts[String(part['$ref']).replace('#/$defs/', '')] ?? part
}

function validator() {
  const read = (path: string): SchemaObject => {
    const schema: SchemaObject = JSON.parse(readFileSync(new URL(path, root), 'utf8'))
    return schema
  }
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    discriminator: true,
    allowUnionTypes: true,
    strictRequired: false,
    keywords: ['x-expected'],
  })
  ajv.addSchema(
    read('scenarios/scenario.schema.json'),
    'https://mergeyard.dev/scenarios/scenario.schema.json',
  )
  return ajv.compile<Written>({
    ...read('server/mergeyard.schema.json'),
    $id: 'https://mergeyard.dev/server/mergeyard.schema.json',
  })
}
