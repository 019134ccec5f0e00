import { expect, it } from 'vitest'
import { MINUTE, clockwork, orchestrator, tokenOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'

const hashOf = (digit: number): string => String(digit).repeat(64)
const token = (digit: number) => ({
  id: tokenOf(digit),
  kind: 'token' as const,
  name: 'robot',
  scope: 'operate' as const,
  hash: hashOf(digit),
})

describeStores('the tokens', (open) => {
  it('a token is found by its hash until it is revoked', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create_token', token(1))
    expect(await desk.store.tokenByHash(hashOf(1))).toMatchObject({ ...token(1), createdBy: 'ada', lastUsedAt: null })
    expect(await desk.store.tokenByHash(hashOf(2))).toBeNull()
    await desk.ok('use_token', { id: tokenOf(1) })
    expect((await desk.store.tokenByHash(hashOf(1)))?.lastUsedAt).toBeGreaterThan(0)
    await desk.ok('revoke_token', { id: tokenOf(1), name: 'robot' })
    expect(await desk.store.tokenByHash(hashOf(1))).toBeNull()
    const events = (await desk.store.exportAll())['event'] ?? []
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['token_created', 'token_revoked']))
    expect(JSON.stringify(events)).not.toContain(hashOf(1))
  })

  it('creating a token deletes expired ones', async () => {
    const desk = await Desk.open(await open())
    await desk.ok('create_token', { ...token(1), expiresAt: 1 })
    const later = (await desk.store.now()) + MINUTE
    await desk.ok('create_token', { ...token(2), expiresAt: later })
    expect((await desk.store.tokens()).map(({ id }) => id)).toEqual([tokenOf(2)])
  })

  it('only a person manages tokens, and no name imitates a program', async () => {
    const desk = await Desk.open(await open())
    for (const actor of [orchestrator, clockwork])
      expect(await desk.refused('create_token', token(1), actor)).toBe('not_allowed')
    expect(await desk.refused('create_token', { ...token(1), name: 'agent:coder' })).toBe('invalid_input')
    expect(await desk.store.tokens()).toEqual([])
  })
})
