/**
 * What developers and maintainers ask on their first day, each answered by one command. What a click answers is in
 * `bench/page/live`, and what `serve` says by itself in `serve/story.test.ts` and `serve/guess.test.ts`.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../server/git/git.ts'
import { untilSome } from '../../server/testing/test-server.ts'
import { makeRepository } from '../stage/repository.ts'
import { type ChildServer, startServe } from './start/testing/child-server.ts'
import { CliFolder } from './testing/cli-folder.ts'

const home = new CliFolder()
const shop = join(home.path, 'shop.git')
const clone = join(home.path, 'clone')
const data = join(home.path, 'data')
let server: ChildServer

/** One of these is asked after the other, of one server. */
type Question = readonly [
  question: string,
  command: readonly string[],
  answer: RegExp,
  more?: {
    /** Not exit code 0. */
    readonly code?: 1 | 2
    /** Asked until the answer has come. */
    readonly isAwaited?: true
  },
]

const at = ['--data', data]
const repeated = { isAwaited: true } as const
const refused = { code: 2 } as const

const questions: readonly Question[] = [
  // A developer.
  ['Which commands are there?', ['--help'], /^ {2}why +say why a pull request failed or waits/m],
  ['I mistyped a command.', ['queu'], /did you mean queue\?/, refused],
  ['I mistyped it behind help.', ['help', 'sumbit'], /did you mean submit\?/, refused],
  ['How is submit used?', ['help', 'submit'], /^ {2}mergeyard submit pay-twice$/m],
  ['I mistyped an option.', ['submit', '1', '--urgnt'], /did you mean --urgent\?/, refused],
  [
    'How do I submit mine?',
    ['submit', '1', ...at],
    /^#1 {2}Change 1: (?:pending|testing), position/,
  ],
  ['And one that breaks a test?', ['submit', '2', ...at], /^#2 {2}Change 2 breaks a test: /],
  ['And my branch?', ['submit', 'pay-twice', ...at], /^#\d+ {2}Pay twice: /],
  [
    'Who is in the line, and who left?',
    ['queue', ...at],
    /(?=[^]*^#1 +MERGED)(?=[^]*^#2 +FAILED)/m,
    repeated,
  ],
  ['Did mine merge?', ['why', '1', ...at], /^#1 {2}Change 1: merged .* ago\nIts tests passed\.$/m],
  ['Why did mine fail?', ['why', '2', ...at], /^Its tests failed; without it they passed\.$/m],
  ['Which test failed?', ['why', '2', ...at], /^failed test {2}what pull request 2 breaks$/m],
  ['What proves it?', ['why', '2', ...at], /^run \d+ +failed .*\nrun \d+ +passed +without #2: /m],
  ['What did it print last?', ['why', '2', ...at], /^the last 12 lines of run|^run \d+:$/m],
  ['What do I do now?', ['why', '2', ...at], /^next +.*\n +mergeyard retry 2 +once it is mended$/m],
  ['Where is the whole output?', ['log', '2', ...at], /^\$ node test\.mjs/m],
  ['And of the run with that number?', ['log', 'run', '1', ...at], /^\$ node test\.mjs/m],
  ['And mine that I never submitted?', ['why', '9', ...at], /mergeyard submit 9/, refused],
  [
    'Why can mine not merge?',
    ['submit', '4', ...at],
    /^#4 .*: not ready: it conflicts with the target branch: conflict in shared\/1-4\.txt\.$/m,
  ],
  ['How do I take it out?', ['cancel', '4', ...at], /^#4 .*: cancelled$/m],
  ['Who took it out?', ['why', '4', ...at], /^Cancelled by --token\.$/m],
  // A maintainer.
  ['Stop merging, please.', ['pause', ...at], /^main: paused$/m],
  ['Why does nothing move?', ['submit', '3', ...at], /^#3 .*: not ready: the queue is paused\.$/m],
  ['How does it go on?', ['why', '3', ...at], /^next +mergeyard resume +the queue goes on$/m],
  ['This one first, please.', ['priority', '3', 'urgent', ...at], /^#3 /],
  ['Go on.', ['resume', ...at], /^main: running$/m],
  ['Has it merged?', ['why', '3', ...at], /^Its tests passed\.$/m, repeated],
  ['Test it again.', ['retry', '2', ...at], /^#2 .*: (?:pending|testing)/],
  [
    'Is the repository set up right?',
    ['doctor', '--repo', shop, '--test', 'node test.mjs'],
    /^ok +push +is allowed/m,
  ],
  [
    'What would I write into a file?',
    ['init'],
    /^tests +npm install, then npm test, because of package\.json$/m,
  ],
  ['How does a program get in?', ['token', 'create', '--scope', 'submit', ...at], /\S{20,}/],
  ['Who may get in?', ['token', 'list', ...at], /submit/],
  [
    'Who is told what happens?',
    ['webhook', 'list', ...at],
    /^id +waiting +undelivered +state +events +url/,
  ],
  ['Is the data whole?', ['verify', data], /whole|no fault/i],
  ['How do I keep a copy?', ['backup', data, join(home.path, 'copy.tar')], /copy\.tar/],
  [
    'How do I rehearse a day?',
    ['sim', 'scenarios/try.json', '--no-report'],
    /^ {2}merged +9 [^]*^holds /m,
  ],
  [
    'And with another setting?',
    [
      'sim',
      'scenarios/small-team.json',
      '--seeds',
      '3',
      '--set',
      'queue.concurrency=1',
      '--no-report',
    ],
    /^with queue\.concurrency=1\n +difference [^]*^time in queue, p95 +\+/m,
  ],
  ['Which version is it?', ['-v'], /^\d+\.\d+\.\d+/],
  ['Can my shell complete this?', ['completion', 'bash'], /complete /],
]

beforeAll(async () => {
  const conflicts = { number: 4, conflictsWith: [1] }
  await makeRepository(shop, [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }, conflicts])
  await git(['clone', '--quiet', shop, clone])
  const inClone = ['-C', clone, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  await git([...inClone, 'checkout', '--quiet', '-b', 'pay-twice'])
  writeFileSync(join(clone, 'pay.txt'), 'twice\n')
  await git([...inClone, 'add', 'pay.txt'])
  await git([...inClone, 'commit', '--quiet', '-m', 'Pay twice'])
  await git([...inClone, 'push', '--quiet', 'origin', 'pay-twice'])
  const tests = ['--test', 'node test.mjs', '--junit', 'report.xml']
  server = await startServe(['--repo', shop, ...tests, ...at])
})

afterAll(async () => {
  await server.end()
  home.remove()
})

test.each(
  questions.map(([question, command, answer, more]) => ({ question, command, answer, ...more })),
)('$question', async ({ command, answer, code = 0, isAwaited = false }) => {
  const ask = async () => {
    const { code: ended, out, err } = await home.run(command, { INIT_CWD: clone })
    return { ended, said: `${out}${err}` }
  }
  const answered = async () => {
    const answers = await ask()
    return !isAwaited || answer.test(answers.said) ? answers : null
  }
  const { ended, said } = await untilSome(answered)
  expect(said).toMatch(answer)
  expect(ended).toBe(code)
})
