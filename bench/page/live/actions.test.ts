/** A pull request that failed, on the page of a real server; and a page that has lost its server or its session. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import { childToken, startWith } from '../../cli/testing/program.ts'
import { describeInBrowser, signedIn, describeStaged, queuePath } from '../testing/in-browser.ts'
import { git } from '../../../server/git/git.ts'
import { makeRepository } from '../../rehearsal/repository.ts'
import { nobody, storm } from '../testing/scenes.ts'
import { aChange, aHead } from '../../../server/page/web/testing/frames.ts'

// A developer asks on the page why a pull request failed, with a real server, real git and real tests.

describeInBrowser('why did mine fail', (visit) => {
  //
  test('a branch is submitted by its name, fails, and its page shows the log and submits it again', async () => {
    const folder = temporaryFolder()
    const shop = join(folder, 'shop.git')
    await makeRepository(shop, [{ number: 2, breaks: true }])
    const branch = ['update-ref', 'refs/heads/pay-twice', 'refs/pull/2/head']
    await git(['--git-dir', shop, ...branch])
    const options = ['--repo', shop, '--test', 'node test.mjs', '--data', join(folder, 'data')]
    const server = await startWith([process.execPath], options, {}, 'serve')
    const page = await signedIn(visit, server.url, childToken)
    const shown = (text: string): Promise<void> => page.getByText(text).first().waitFor()

    await shown('a push to a branch below queue/')
    await page.getByRole('button', { name: 'Submit…' }).first().click()
    await page.getByLabel('Number, branch or title').fill('no such branch')
    await shown('No title that this page knows has these words.')
    await page.getByLabel('Number, branch or title').fill('no-such-branch')
    await page.getByRole('button', { name: 'Submit no-such-branch' }).click()
    await page.locator('dialog .error').getByText('no-such-branch').waitFor()
    await page.getByLabel('Number, branch or title').fill('pay-twice')
    await page.getByRole('button', { name: 'Submit pay-twice' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })

    await page.locator('.ended .is-failed .pull-request').click()
    await shown('Its tests failed')
    const log = page.locator('.log')
    await log.getByText('FAILED  what pull request 2 breaks').waitFor()
    await page.locator('.log-head a').click()
    await page.getByRole('heading', { name: /^Run \d+$/ }).waitFor()
    await log.getByText('FAILED  what pull request 2 breaks').waitFor()
    await page.goBack()

    await page.getByRole('button', { name: 'Submit again…' }).click()
    const field = page.getByLabel('Number, branch or title')
    const number = await field.inputValue()
    await field.fill('breaks a test')
    await page.locator('.choices button').click()
    expect(await field.inputValue()).toBe(number)
    await page.getByRole('button', { name: `Submit #${number}` }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Earlier submissions' }).waitFor()

    await page.goto(`${server.url}/nope`)
    await page.getByRole('heading', { name: 'No such page' }).waitFor()
    expect(await server.end()).toBe(0)
  })
})

// The live page without its server, and without its session.

const paused = aHead({ state: 'PAUSED', stateBy: 'dana' })

describeStaged('a page that has lost something', ({ visit, server, open }) => {
  test('a page whose server is gone says since when, and goes on when it is back', async () => {
    const page = await open(storm())
    await page.locator('.live.is-live').waitFor()
    server().show({ frame: { ...storm().frame, sequence: 5000, queue: paused } })
    server().hangUp()
    await page.getByText(/^Not live since .* The server is stopping or starts anew\./).waitFor()
    await page.locator('main[data-sequence="5000"]').waitFor()
    await page.getByText('Paused by dana').waitFor()
    expect(await page.getByText(/^Not live since/).count()).toBe(0)
  })

  test('on a slow network it says that it loads, and sends an action once', matrix, async () => {
    server().show(storm())
    const { page } = await visit('about:blank')
    const network = await page.context().newCDPSession(page)
    await network.send('Network.enable')
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 300,
      downloadThroughput: 60_000,
      uploadThroughput: 20_000,
    })
    await page.goto(`${server().url}${queuePath}`, { waitUntil: 'commit' })
    await page.getByText('Loading…').waitFor()
    await page.locator('.live.is-live').waitFor()
    server().show({ frame: { ...storm().frame, sequence: 6000, queue: paused } })
    server().hangUp()
    await page.locator('main[data-sequence="6000"]').waitFor()
    const before = server().acts.length
    await page.getByRole('button', { name: 'Submit…' }).click()
    await page.getByLabel('Number, branch or title').fill('77')
    await page.getByRole('button', { name: 'Submit #77' }).dblclick()
    await page.locator('dialog').waitFor({ state: 'detached' })
    expect(server().acts.slice(before)).toHaveLength(1)
  })

  test('a session that ends leads to the sign-in, and says so', async () => {
    const page = await open(storm())
    await page.locator('.answer').waitFor()
    server().show({ me: nobody })
    server().hangUp()
    await page.getByText('Your session has ended. Sign in again to go on.').waitFor()
    expect(await page.locator('.answer').count()).toBe(0)
    await page.getByLabel('Token').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('This token is not valid.').waitFor()
    server().show(storm())
  })

  test('who may only read sees no button', async () => {
    const { me, ...scene } = storm()
    const page = await open({ ...scene, me: { ...me, scopes: ['read'] } })
    await page.locator('.group [data-row="1036"]').waitFor()
    expect(await page.getByRole('button', { name: /^Actions|…$/ }).count()).toBe(0)
  })

  test('who signs out in one tab is signed out in the other, and returns', async () => {
    const page = await open(storm())
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.locator('.answer').waitFor()
    server().show({ me: nobody })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    server().hangUp()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await other.locator('.answer').count()).toBe(0)
    server().show(storm())
    await other.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
    await other.locator('.answer').waitFor()
  })

  test('a hidden page lets its stream go after 30 s, until it is seen', matrix, async () => {
    server().show(storm())
    const { page } = await visit('about:blank')
    await page.clock.install()
    await page.goto(`${server().url}${queuePath}`)
    await page.locator('.live.is-live').waitFor()
    const turn = (isHidden: boolean): Promise<void> =>
      page.evaluate<void>(`
        Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`)
    await turn(true)
    expect(server().watchers).toBe(1)
    await page.clock.fastForward(31_000)
    await expect.poll(() => server().watchers).toBe(0)
    server().show({ frame: { ...storm().frame, sequence: 6000 } })
    await turn(false)
    await page.locator('main[data-sequence="6000"]').waitFor()
    expect(server().watchers).toBe(1)
  })

  test('without room a page says why, and goes on when there is room', matrix, async () => {
    const page = await open({
      ...storm(),
      frame: '2 pages watch this server, and it takes no more',
    })
    await page.getByText('2 pages watch this server, and it takes no more.').waitFor()
    server().show(storm())
    await page.locator('.answer').waitFor()
    expect(await page.getByText(/^Not live since/).count()).toBe(0)
  })

  test('a change without a whole before it leads to a stream from the start', async () => {
    const frame = aChange({})
    const page = await open({ ...storm(), frame })
    await page.locator('.live.is-lost').waitFor()
    server().show(storm())
    await page.locator('.answer').waitFor()
    const { sequence } = storm().frame
    expect(await page.locator('main').getAttribute('data-sequence')).toBe(String(sequence))
  })
})
