import type { Notices } from '#contract/notices.ts';

/** The current announcements and maintenance, as known to this process. */
export class CurrentNotices {
  #notices: Notices = { announcements: [] };

  get maintenance(): Notices['maintenance'] {
    return this.#notices.maintenance;
  }

  /** The announcements that have not expired. */
  announcementsAt(now: number): Notices['announcements'] {
    return this.#notices.announcements.filter(({ endsAt }) => endsAt === undefined || now < endsAt);
  }

  /** Returns false if nothing has changed. */
  take(notices: Notices): boolean {
    if (JSON.stringify(notices) === JSON.stringify(this.#notices)) return false;
    this.#notices = notices;
    return true;
  }
}
