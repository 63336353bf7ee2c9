/** `mergeyard quarantine`: the tests whose failure alone fails no run. Rule: A-364. */

import type * as wire from '../contract/wire.ts'
import { groupOf, ready } from '../terminal/command.ts'
import { endAfter } from '../terminal/readers.ts'
import { widthOf } from '../terminal/output.ts'
import { columns, several } from '../terminal/text.ts'
import { answering } from './place.ts'
import { queueIn, remoteTable } from './remote-server.ts'

const more = 'Exit codes: 0 done, 2 refused, and nothing has changed.\n'

const list = answering(
  {
    command: 'quarantine list',
    about: `List the tests in quarantine, with who put them there, until when and why, how many pull requests merged
by a run in which they failed, and known flakes that could be put there.`,
    table: remoteTable,
    more: 'Exit codes: 0 shown, 2 no such server or queue.\n',
  },
  async (parsed, { stdout, env }) => {
    const { server, queue } = queueIn('quarantine list', parsed, env)
    const found = await server.call('getQuarantine', queue)
    return { document: found, text: listText(found, widthOf(stdout)) }
  },
)

function listText({ tests, proposals, merges }: wire.Quarantine, width: number | null): string {
  const inForce = tests.filter((test) => test.inForce).length
  const head = `${several(inForce, 'test')} in quarantine, ${several(merges, 'pull request')} merged by it\n`
  const rows = tests.map(({ test, who = '', until = '', why = '', ...each }) => [
    ...[test, who, each.inForce ? until : `over since ${until}`, String(each.merges), why],
  ])
  const proposed = proposals.map(({ test, failures, flakes }) => [
    ...[test, several(flakes, 'flake'), `of ${several(failures, 'failure')}`],
  ])
  return [
    head,
    ...(rows.length === 0
      ? []
      : [columns([['test', 'by', 'until', 'merges', 'why'], ...rows], [3], width)]),
    ...(proposed.length === 0
      ? []
      : ['\nflakes that could be put there\n', columns(proposed, [], width)]),
  ].join('')
}

const add = answering(
  {
    command: 'quarantine add',
    about: `Put a test in quarantine, or change its reason and end: a run in which only such tests fail has passed.

  mergeyard quarantine add "clock.test.ts > strikes twelve" --why QA-7 --until 14d`,
    operands: ['<test>'],
    table: {
      'why <text>': 'the reason, for example a ticket',
      'until <time>': 'its end: 14d, 12h, a date or a time (default: until it is removed)',
      ...remoteTable,
    },
    more,
  },
  async (parsed, { env }) => {
    const [test = ''] = parsed.operands
    const [why, until] = [parsed.text('why'), parsed.readGiven('until', endAfter(new Date()))]
    const { server, queue } = queueIn('quarantine add', parsed, env)
    const told = { ...(why === null ? {} : { why }), ...(until === null ? {} : { until }) }
    const document = await server.call('quarantineTest', { ...queue, test, ...told })
    const end = until === null ? '' : ` until ${until}`
    return { document, text: `${test}: in quarantine${end}\n` }
  },
)

const remove = answering(
  {
    command: 'quarantine remove',
    about: 'Take a test out of quarantine.',
    operands: ['<test>'],
    table: remoteTable,
    more,
  },
  async (parsed, { env }) => {
    const [test = ''] = parsed.operands
    const { server, queue } = queueIn('quarantine remove', parsed, env)
    const document = await server.call('releaseTest', { ...queue, test })
    return { document, text: `${test}: not in quarantine any more\n` }
  },
)

export const main = groupOf({
  name: 'quarantine',
  about: 'The tests of a queue whose failure alone fails no run.',
  commands: {
    list: ready('list them, and flakes that could be put there', list),
    add: ready('put a test there', add),
    remove: ready('take a test out', remove),
  },
})
