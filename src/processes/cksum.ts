/** The checksum of the POSIX command `cksum`. Muster uses this checksum because shell scripts can compute it too. */
const POLYNOMIAL = 0x04c11db7

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index << 24
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ POLYNOMIAL : crc << 1
  return crc >>> 0
})

export function cksum(bytes: Uint8Array): number {
  let crc = 0
  const feed = (byte: number): void => {
    crc = ((crc << 8) ^ (TABLE[(crc >>> 24) ^ byte] ?? 0)) >>> 0
  }
  for (const byte of bytes) feed(byte)
  for (let length = bytes.length; length > 0; length = Math.floor(length / 256)) feed(length & 0xff)
  return ~crc >>> 0
}
