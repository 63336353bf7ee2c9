/** `mergeyard.json`: more than one queue, or more than the options of `serve` can say. */

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Ajv2020, type SchemaObject } from 'ajv/dist/2020.js'
import { schemaFaults, type RecordedSettings } from '../../../engine/index.ts'
import type { CommandTests, HostOptions } from '../../../server/hosting/options.ts'
import { isLocal, repositoryIn } from '../../../server/hosting/repository-name.ts'
import type { TargetsOptions } from '../../../server/targets/options.ts'
import type { Repository } from '../../../server/identity/queue-ref.ts'
import { BadInput, shown } from '../../../sim/scenario/bad-input.ts'
import { parseJson } from '../../../sim/scenario/json-text.ts'
import { readBytes } from '../../../sim/scenario/load.ts'

type WrittenTests =
  | ({ readonly kind: 'command' } & Partial<CommandTests> & Pick<CommandTests, 'run'>)
  | { readonly kind: 'external' }

type WrittenQueue = {
  readonly url: string
  readonly targetBranch?: string
  readonly repo?: Repository
  readonly tests: WrittenTests
  readonly targets?: TargetsOptions
  readonly set?: RecordedSettings
  readonly pollSeconds?: number
}

type Written = { readonly queues: readonly WrittenQueue[] }

/** Relative to the compiled file, which is one folder deeper than this one. */
const root = new URL('../../../../', import.meta.url)

export const defaultKeep = ['node_modules']
export const defaultSetupWhen = ['package-lock.json']
export const defaultPollSeconds = 2

/** Reads the file. Throws `BadInput` with every fault, by JSON pointer. */
export function readConfiguration(path: string, name: string): HostOptions[] {
  const document = parseJson(readBytes(path, name), name)
  const isValid = validator()
  if (!isValid(document)) {
    const faults = schemaFaults(isValid.errors ?? [])
    throw new BadInput(
      name,
      faults.map((fault) => ({ ...fault, actual: shown(fault.actual) })),
    )
  }
  return document.queues.map((queue) => optionsOf(queue, dirname(path)))
}

function optionsOf(queue: WrittenQueue, folder: string): HostOptions {
  const { url: written, targetBranch = 'main', repo, set = {}, tests, targets } = queue
  const url = isLocal(written) ? resolve(folder, written.replace(/^file:\/\//, '')) : written
  return {
    ref: { ...(repo ?? repositoryIn(url)), targetBranch },
    url,
    set,
    pollMs: (queue.pollSeconds ?? defaultPollSeconds) * 1_000,
    tests: tests.kind === 'external' ? tests : completed(tests),
    ...(targets ? { targets } : {}),
  }
}

function completed(tests: Partial<CommandTests> & Pick<CommandTests, 'run'>): CommandTests {
  const { run, setup = null, setupWhen = defaultSetupWhen } = tests
  const { junit = [], keep = defaultKeep, environment = [], bubblewrap = true } = tests
  return { kind: 'command', run, setup, setupWhen, junit, keep, environment, bubblewrap }
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
