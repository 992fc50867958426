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

/** Links to all settings. */
export function Component() {
  const t = useTexts();
  const ways = [
    {
      to: 'account',
      icon: IconUser,
      title: t('chat.settings.account'),
      lead: t('chat.settings.accountLead'),
    },
    { to: 'invite', icon: IconLink, title: t('chat.settings.invite'), lead: t('chat.settings.inviteLead') },
    {
      to: 'notifications',
      icon: IconBell,
      title: t('chat.settings.notifications'),
      lead: t('chat.settings.notificationsLead'),
    },
    {
      to: 'appearance',
      icon: IconLanguage,
      title: t('chat.settings.appearance'),
      lead: t('chat.settings.appearanceLead'),
    },
    { to: 'privacy', icon: IconEye, title: t('chat.settings.privacy'), lead: t('chat.settings.privacyLead') },
    {
      to: 'media',
      icon: IconPhotoShield,
      title: t('chat.settings.media'),
      lead: t('chat.settings.mediaLead'),
    },
    {
      to: 'applications',
      icon: IconAppWindow,
      title: t('chat.settings.applications'),
      lead: t('chat.settings.applicationsLead'),
    },
    { to: 'blocked', icon: IconBan, title: t('chat.settings.blocked'), lead: t('chat.settings.blockedLead') },
  ];
  return (
    <Page title={t('chat.settings.title')}>
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
