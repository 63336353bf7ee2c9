/**
 * The identity of a queue: a repository and a target branch.
 *
 * As text: `github.com/acme/shop:main`. Hosts and repository names contain no slash and branches
 * contain no colon, so the text names exactly one queue, also if the owner contains slashes.
 */

import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type * as wire from '../contract/wire.ts'

export type Repository = {
  /** Lower case: host names compare case-insensitively. */
  readonly host: string
  readonly owner: string
  readonly name: string
}

export type QueueRef = Repository & { readonly targetBranch: string }

export function repositoryOf({ host, owner, name }: wire.Repository): Repository {
  return { host: host.toLowerCase(), owner, name }
}

export function queueRefOf({ repo, targetBranch }: wire.QueueRef): QueueRef {
  return { host: repo.host.toLowerCase(), owner: repo.owner, name: repo.name, targetBranch }
}

/** `github.com/acme/shop` */
export function nameOfRepository({ host, owner, name }: Repository): string {
  return `${host}/${owner}/${name}`
}

/** `github.com/acme/shop:main` */
export function nameOfQueue(ref: QueueRef): string {
  return `${ref.host}/${ref.owner}/${ref.name}:${ref.targetBranch}`
}

/** What tells a queue from the others of its server: nothing, its branch, or its repository as well. */
export function nameAmong(ref: QueueRef, all: readonly QueueRef[]): string {
  if (all.length < 2) return ''
  const names = all.map(({ name, targetBranch }) => `${name}:${targetBranch}`)
  if (new Set(all.map(({ targetBranch }) => targetBranch)).size === all.length) {
    return ref.targetBranch
  }
  return new Set(names).size === all.length ? `${ref.name}:${ref.targetBranch}` : nameOfQueue(ref)
}

/** Parses the name of a queue. Throws if `text` is not such a name. */
export function queueRefFrom(text: string): QueueRef {
  const branchAt = text.lastIndexOf(':') + 1
  const ownerAt = text.indexOf('/') + 1
  const nameAt = text.lastIndexOf('/', branchAt - 1) + 1
  if (branchAt === 0 || ownerAt === 0 || nameAt <= ownerAt) {
    throw new Error(`"${text}" is not a queue name: expected host/owner/name:branch`)
  }
  return {
    host: text.slice(0, ownerAt - 1),
    owner: text.slice(ownerAt, nameAt - 1),
    name: text.slice(nameAt, branchAt - 1),
    targetBranch: text.slice(branchAt),
  }
}

// What the API calls a repository, if nobody says it: it follows from the address.

const remote = /^(?:[a-z+]+:\/\/)?(?:[^@/\s]+@)?(\[[^\]/\s]+\]|[^/:\s]+)(?::\d+)?[:/](.+?)\/?$/i

/** True for a path on this machine, and for a `file:` address. As git tells it: a colon before all slashes is behind a host. */
export function isLocal(url: string): boolean {
  return url.startsWith('file://') || !/^[^/]+:/.test(url)
}

/** The path of a repository on this machine, as git finds it: from a folder, with `file://`, or without the `.git` at its end. */
export function localPath(address: string, folder = '.'): string {
  const path = resolve(folder, address.startsWith('file://') ? pathIn(address) : address)
  const whole = `${path}.git`
  return !existsSync(path) && existsSync(whole) ? whole : path
}

function pathIn(address: string): string {
  const path = address.slice('file://'.length)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** `https://github.com/acme/shop.git` is `github.com/acme/shop`; a path is `local/<folder>/<name>`. */
export function repositoryIn(url: string): Repository {
  if (!isLocal(url)) {
    const [, host = '', path = ''] = remote.exec(url) ?? []
    const parts = path.split('/').filter((part) => part !== '')
    const name = bare(parts.pop() ?? 'repository')
    return { host: host.toLowerCase(), owner: parts.join('/') || 'local', name }
  }
  const path = localPath(url)
  const folder = basename(path) === '.git' ? dirname(path) : path
  return {
    host: 'local',
    owner: plain(basename(dirname(folder))),
    name: bare(plain(basename(folder))),
  }
}

const bare = (name: string): string => name.replace(/\.git$/, '')
const plain = (name: string): string => name.replaceAll(/[^\w.-]/g, '-') || 'local'
