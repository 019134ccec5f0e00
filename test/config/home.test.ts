import { expect, test } from 'vitest'
import { makePrivateFolder } from '../../src/config/home.ts'

test('a data folder that cannot be created gives an error with its path', async () => {
  await expect(makePrivateFolder('/proc/no-such-home')).rejects.toThrow(
    /^Folder \/proc\/no-such-home cannot be created \([a-z ]+\): choose another with MUSTER_HOME\.$/,
  )
})
