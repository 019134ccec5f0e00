/** Replaces `src/processes/run-program.ts` for simulated processes, with only the programs that a sweep needs. */
import type { ProgramResult, runProgram as real } from '../../../src/processes/run-program.ts'
import { kernel, running } from '../kernel.ts'

const ran = (code: number | null, stderr = ''): ProgramResult => ({
  code,
  stdout: Buffer.alloc(0),
  stderr,
  error: null,
})

export const runProgram: typeof real = (program, args, { cwd }) => {
  const { disk } = running().machine
  return kernel().call(`run ${program}`, () => {
    if (program === 'tar') {
      const [, archive = '', , folder = ''] = args
      disk.write(archive, Buffer.from(disk.list(folder).join('\n')), { sync: true })
      return ran(0)
    }
    if (program !== '/bin/sh') return ran(null, `${program} is not installed here, or not on the PATH: install it.`)
    const [, , , here, name = ''] = args
    const trash = disk.get(cwd, 'chdir')
    if (`${trash.device}:${trash.ino}` !== here) return ran(3, 'the trash was replaced meanwhile')
    disk.remove(`${cwd}/${name}`)
    return ran(0)
  })
}
