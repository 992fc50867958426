// Checks whether this container's server can do its work; for HEALTHCHECK.
const { ok } = await fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).catch(() => ({ ok: false }));
process.exitCode = ok ? 0 : 1;
