import { UnstyledButton } from '@mantine/core';
import { useTexts } from '../../ui/texts.ts';
import { FOLDERS, type Folder } from './filter.ts';
import classes from './list.module.css';
import { conversationTexts } from './texts.ts';

/** The folder shown; the archive appears only if it has conversations. */
export function Folders({
  chosen,
  hasArchived,
  onChoose,
}: {
  chosen: Folder;
  hasArchived: boolean;
  onChoose: (folder: Folder) => void;
}) {
  const t = useTexts(conversationTexts);
  const shown = FOLDERS.filter((folder) => folder !== 'archived' || hasArchived || chosen === folder);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll sideways.
    <div className={classes.folders} role="group" aria-label={t.folders}>
      {shown.map((folder) => (
        <UnstyledButton
          key={folder}
          className={classes.folder ?? ''}
          aria-pressed={folder === chosen}
          onClick={() => onChoose(folder)}
        >
          {t[folder]}
        </UnstyledButton>
      ))}
    </div>
  );
}
