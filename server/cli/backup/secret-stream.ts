/** As much of libsodium's secretstream and password hashing as sealed files need. */
export interface SecretStream {
  crypto_pwhash_SALTBYTES: number;
  crypto_pwhash_OPSLIMIT_MODERATE: number;
  crypto_pwhash_MEMLIMIT_MODERATE: number;
  crypto_pwhash_ALG_ARGON2ID13: number;
  crypto_secretstream_xchacha20poly1305_ABYTES: number;
  crypto_secretstream_xchacha20poly1305_HEADERBYTES: number;
  crypto_secretstream_xchacha20poly1305_KEYBYTES: number;
  crypto_secretstream_xchacha20poly1305_STATEBYTES: number;
  crypto_secretstream_xchacha20poly1305_TAG_MESSAGE: number;
  crypto_secretstream_xchacha20poly1305_TAG_FINAL: number;
  sodium_malloc(bytes: number): Buffer;
  crypto_pwhash_async(
    key: Buffer,
    password: Buffer,
    salt: Buffer,
    opsLimit: number,
    memLimit: number,
    algorithm: number,
  ): Promise<void>;
  crypto_secretstream_xchacha20poly1305_init_push(state: Buffer, header: Buffer, key: Buffer): void;
  crypto_secretstream_xchacha20poly1305_push(
    state: Buffer,
    ciphertext: Buffer,
    message: Buffer,
    additionalData: null,
    tag: number,
  ): number;
  crypto_secretstream_xchacha20poly1305_init_pull(state: Buffer, header: Buffer, key: Buffer): void;
  crypto_secretstream_xchacha20poly1305_pull(
    state: Buffer,
    message: Buffer,
    tag: Buffer,
    ciphertext: Buffer,
    additionalData: null,
  ): number;
}
