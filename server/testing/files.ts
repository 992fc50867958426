/** Magic numbers of file types; the rest does not matter for type detection. */
const HEADS = {
  png: Buffer.from(
    '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c626001000000ffff030000060005574bfcd60000000049454e44ae426082',
    'hex',
  ),
  jpeg: Buffer.from('ffd8ffe000104a46494600010101004800480000ffdb0043', 'hex'),
  webp: Buffer.from('524946461a000000574542505650384c0d0000002f0000001007101111888808', 'hex'),
  gif: Buffer.from(
    '47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b',
    'hex',
  ),
  mp4: Buffer.from('000000186674797069736f6d0000020069736f6d6d703432', 'hex'),
  m4a: Buffer.from('00000018667479704d344120000002004d3441206d703432', 'hex'),
  mp3: Buffer.from('fffb906400000000', 'hex'),
  pdf: Buffer.from('%PDF-1.4\n'),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  html: Buffer.from('<!doctype html><script>alert(1)</script>'),
  zip: Buffer.from('504b0304140000000000', 'hex'),
  exe: Buffer.from('4d5a90000300000004000000ffff', 'hex'),
};

/** A file whose content has the signature of this type. */
export function fileOf(type: keyof typeof HEADS, size?: number): Buffer {
  const head = HEADS[type];
  return size === undefined ? head : Buffer.concat([head, Buffer.alloc(size - head.length, 1)]);
}
