/**
 * A machine of its own for a server: a network namespace of Linux, joined to this one by a link that can
 * be cut. Only root can make one.
 *
 * A cut is a link that is down: whatever is sent is lost without a word, as with a cable that is pulled.
 */

import { execFileSync, spawnSync } from 'node:child_process'

export type Machine = {
  readonly name: string
  /** The address of the machine. */
  readonly address: string
  /** The address of the test as the machine sees it. */
  readonly outside: string
}

/** The network of all machines; a database for them must accept connections from it. */
export const network = '10.0.0.0/8'

/** Two runs of the test at once have different addresses and names. */
const ours = process.pid

/** Whether this process may make machines. */
export function canMakeMachines(): boolean {
  return (
    spawnSync('unshare', ['--net', 'true']).status === 0 && spawnSync('ip', ['-V']).status === 0
  )
}

export function makeMachine(place: number): Machine {
  const name = nameOf(place)
  const subnet = `10.${1 + (ours % mostSubnets)}.${place}`
  const [outside, address] = [`${subnet}.1`, `${subnet}.2`]
  ip('netns', 'add', name)
  ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  ip('addr', 'add', `${outside}/24`, 'dev', name)
  ip('link', 'set', name, 'up')
  ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
  ip('-n', name, 'link', 'set', 'eth0', 'up')
  ip('-n', name, 'link', 'set', 'lo', 'up')
  return { name, address, outside }
}

export function removeMachine({ name }: Machine): void {
  ip('link', 'delete', name)
  ip('netns', 'delete', name)
}

/** What to write before a program so that it runs inside. */
export const insideOf = ({ name }: Machine): readonly string[] => ['ip', 'netns', 'exec', name]

export function cut({ name }: Machine): void {
  ip('link', 'set', name, 'down')
}

export function join({ name }: Machine): void {
  ip('link', 'set', name, 'up')
}

const mostSubnets = 250

/** The kernel allows 15 characters. */
const nameOf = (place: number): string => `my${ours % 1_000_000}-${place}`

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}
