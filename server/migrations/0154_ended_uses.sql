-- Until now, an upload stayed, and was served, after its story had ended, or after the picture of a person, a group or a bot was replaced:
-- the uses of these are removed, and the uploads that nothing else uses. A use of the last hour may belong to a request in progress.
delete from media_uses
where used_by in (
    select used_by from media_uses where used_by like 'elm\_%' and not is_held
    except select element_id from story_elements)
  and media_id in (select media_id from media where used_at < (extract(epoch from now()) - 3600) * 1000);
delete from media_uses
where (media_id, used_by) in (
    select media_id, used_by from media_uses
    where (used_by like 'usr\_%' or used_by like 'app\_%' or used_by like 'grp\_%') and not is_held
    except select split_part(picture_url, '/', 3), account_id from accounts where picture_url like '/media/%'
    except select split_part(picture_url, '/', 3), app_id from accounts
      where picture_url like '/media/%' and deleted_at is null
    except select split_part(photo_url, '/', 3), group_id from groups
      where photo_url like '/media/%' and deleted_at is null)
  and media_id in (select media_id from media where used_at < (extract(epoch from now()) - 3600) * 1000);
update media set used_at = null, released_at = extract(epoch from now()) * 1000
where is_counted and used_at < (extract(epoch from now()) - 3600) * 1000
  and not exists (select 1 from media_uses where media_uses.media_id = media.media_id);
