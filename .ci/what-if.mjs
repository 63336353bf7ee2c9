/**
 * Prints, as Markdown, what the changed settings of the work tree would do to the team: the simulator runs the
 * same days with the settings of the commit BASE and with the new ones. Prints nothing if none of them changed.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const { BASE = 'HEAD^', CONFIG = 'mergeyard.json', SCENARIO = '', SEEDS = '30' } = process.env
const { VERSION = 'latest', MERGEYARD = '' } = process.env

function run(program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  return { status, stdout, stderr: error ? String(error) : stderr }
}

/** A document of JSON; null for what is none. */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const before = (file) => parsed(run('git', 'show', `${BASE}:./${file}`).stdout)
const after = (file) => (existsSync(file) ? parsed(readFileSync(file, 'utf8')) : null)

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isScenario = (value) =>
  isObject(value) &&
  ('traffic' in value || 'pullRequests' in value) &&
  typeof value.name === 'string'

/** The changes as values for --set, and the paths of fields that are gone, which --set cannot say. */
function changesBetween(old, now, path = '') {
  if (JSON.stringify(old) === JSON.stringify(now)) return { set: [], gone: [] }
  if (!isObject(old) || !isObject(now)) return { set: [`${path}=${JSON.stringify(now)}`], gone: [] }
  const parts = [...new Set([...Object.keys(old), ...Object.keys(now)])].map((key) => {
    const inner = path === '' ? key : `${path}.${key}`
    if (!(key in now)) return { set: [], gone: [inner] }
    return key in old || isObject(now[key])
      ? changesBetween(old[key] ?? {}, now[key], inner)
      : { set: [`${inner}=${JSON.stringify(now[key])}`], gone: [] }
  })
  return { set: parts.flatMap(({ set }) => set), gone: parts.flatMap(({ gone }) => gone) }
}

/** What the changes do to a scenario, as the table of the command. */
function simulated(title, scenario, { set, gone }) {
  const left = gone.map((path) => `\`${path}\` is gone; that is not simulated.`)
  if (set.length === 0) return [`**${title}**`, ...left].join('\n\n')
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-'))
  const file = join(folder, `${basename(scenario.name)}.json`)
  const { $schema: _schema, ...rest } = scenario
  writeFileSync(file, JSON.stringify(rest))
  const command =
    MERGEYARD === '' ? ['npx', '--yes', `mergeyard@${VERSION}`] : [process.execPath, MERGEYARD]
  const args = [
    'sim',
    file,
    '--seeds',
    SEEDS,
    '--no-report',
    ...set.flatMap((each) => ['--set', each]),
  ]
  const { status, stdout, stderr } = run(...command, ...args)
  rmSync(folder, { recursive: true })
  // The table of what differs is the part after the head; the means of the new settings follow it.
  const [, , table = ''] = status === 2 ? [] : (/^(.*\n)\n([\s\S]*?)\n\n/.exec(stdout) ?? [])
  const shown = table === '' ? stderr : table
  return [`**${title}**, ${SEEDS} days`, `\`\`\`\n${shown.trimEnd()}\n\`\`\``, ...left].join('\n\n')
}

function ofScenario(file) {
  const [old, now] = [before(file), after(file)]
  if (!isScenario(old) || !isScenario(now)) return []
  const { description: _before, ...was } = old
  const { description: _after, ...is } = now
  const changes = changesBetween(was, is)
  return changes.set.length + changes.gone.length === 0 ? [] : [simulated(file, old, changes)]
}

function ofConfig() {
  const [old, now, team] = [before(CONFIG), after(CONFIG), SCENARIO === '' ? null : after(SCENARIO)]
  const queues = Array.isArray(now?.queues) ? now.queues : []
  return queues.flatMap((queue, index) => {
    const [was, is] = [old?.queues?.[index]?.set ?? {}, queue.set ?? {}]
    const changes = changesBetween(was, is, 'queue')
    if (changes.set.length + changes.gone.length === 0) return []
    const title = `${CONFIG}, queue of ${queue.targetBranch ?? 'main'}`
    if (!isScenario(team))
      return [`**${title}** has changed. With the input \`scenario\` this says what that does.`]
    return [simulated(title, { ...team, queue: { ...team.queue, ...was } }, changes)]
  })
}

const changed = run('git', 'diff', '--name-only', '--relative', '-z', BASE, '--', '*.json')
const files = changed.stdout.split('\0').filter((file) => file !== '')
const parts = [...(files.includes(CONFIG) ? ofConfig() : []), ...files.flatMap(ofScenario)]
if (parts.length > 0) {
  const head = '### What the new settings of the merge queue would do'
  console.log(['<!-- mergeyard what-if -->', head, ...parts].join('\n\n'))
}
