/**
 * A disk that is too small: a tmpfs, in a namespace of mounts that ends with the program that uses it. So
 * nothing stays mounted, whatever happens.
 */

import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** Needs a user who may mount in a namespace of their own; most containers do not allow it. */
export function canMount(): boolean {
  const mounts = ['-rm', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/tmp']
  return spawnSync('unshare', mounts).status === 0
}

/** Needs the root of the machine: the program may then start others as another user. */
export function canMountAsRoot(): boolean {
  const mounts = ['-m', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/tmp']
  return process.getuid?.() === 0 && spawnSync('unshare', mounts).status === 0
}

/** Runs a compiled program that mounts disks, and returns what it printed. */
export function withMounts(program: string, ...args: readonly string[]): Promise<unknown> {
  return told(['-rm', process.execPath, program, ...args])
}

/** The same for a program that needs other users. */
export function withMountsAsRoot(program: string, ...args: readonly string[]): Promise<unknown> {
  return told(['-m', process.execPath, program, ...args])
}

async function told(command: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)('unshare', command)
  const found: unknown = JSON.parse(stdout)
  return found
}

/** For such a program: a new disk at a folder. */
export function mountDisk(folder: string, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
}

/** Makes room. */
export function growDisk(folder: string, size: string): void {
  execFileSync('mount', ['-o', `remount,size=${size}`, folder])
}
