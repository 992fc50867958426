import type { Notices } from '#contract/notices.ts';

/** The current announcements and maintenance, as known to this process. */
export class CurrentNotices {
  #notices: Notices = { announcements: [] };
  #changes = 0;

  get maintenance(): Notices['maintenance'] {
    return this.#notices.maintenance;
  }

  get changes(): number {
    return this.#changes;
  }

  announcementsAt(now: number): Notices['announcements'] {
    return this.#notices.announcements.filter(({ endsAt }) => endsAt === undefined || now < endsAt);
  }

  /** Returns false if nothing has changed. */
  take(notices: Notices): boolean {
    if (JSON.stringify(notices) === JSON.stringify(this.#notices)) return false;
    this.#notices = notices;
    this.#changes++;
    return true;
  }
}
