import {
  IconAppWindow,
  IconBan,
  IconBell,
  IconChevronRight,
  IconEye,
  IconLanguage,
  IconLink,
  IconPhotoShield,
  IconUser,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';
import classes from './menu.module.css';
import { settingsTexts } from './texts.ts';

/** Links to all settings. */
export function Component() {
  const t = useTexts(settingsTexts);
  const ways = [
    { to: 'account', icon: IconUser, title: t.account, lead: t.accountLead },
    { to: 'invite', icon: IconLink, title: t.invite, lead: t.inviteLead },
    { to: 'notifications', icon: IconBell, title: t.notifications, lead: t.notificationsLead },
    { to: 'appearance', icon: IconLanguage, title: t.appearance, lead: t.appearanceLead },
    { to: 'privacy', icon: IconEye, title: t.privacy, lead: t.privacyLead },
    { to: 'media', icon: IconPhotoShield, title: t.media, lead: t.mediaLead },
    { to: 'applications', icon: IconAppWindow, title: t.applications, lead: t.applicationsLead },
    { to: 'blocked', icon: IconBan, title: t.blocked, lead: t.blockedLead },
  ];
  return (
    <Page title={t.title}>
      <ul className={classes.menu}>
        {ways.map(({ to, icon: Icon, title, lead }) => (
          <li key={to}>
            <Link to={`/settings/${to}`} className={classes.way}>
              <Icon size={22} aria-hidden="true" />
              <span className={classes.words}>
                <span className={classes.title}>{title}</span>
                <span className={classes.lead}>{lead}</span>
              </span>
              <IconChevronRight size={18} aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
